# What doxygen reads of a header. Equations, which comments indent, keep their lines; explicit instantiations, which
# declare nothing new and for which Sphinx has no name, are left out.
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
