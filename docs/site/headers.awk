# Filters a header for doxygen. Indented equations in comments keep their lines. Explicit instantiations are removed,
# because they declare nothing new and Sphinx cannot name them.
/^ *extern template/ { instantiation = 1 }
instantiation {
  if (/;/) instantiation = 0
  next
}
{
  equation = /^ *\/\/\/   /
  if (equation && !open) print "/// \\verbatim"
  if (!equation && open) print "/// \\endverbatim"
  open = equation
  print
}
