"""Identity of learners written in Python: a SHA-256 of everything that determines what they do, as far as it is known.

Covered: the source or byte code of the class and its base classes or of the function, default arguments, closure
variables, arguments of functools.partial, and attributes of a callable object. Not covered: global variables, and code
that these call.
"""

import functools
import hashlib
import inspect

import numpy as np

REMEDY = 'set an attribute version = "1" on the learner, and change it with the code'


class Unknown(ValueError):
    """A value that has no identity. Its text says which."""


def source_of(factory):
    """(qualified name, SHA-256) of a class or function that makes learners.

    An attribute `version`, a text, stands for everything that cannot be identified. Raises ValueError without it.
    """
    if isinstance(factory, functools.partial):
        name, digest = source_of(factory.func)
        version = version_of(factory.func)
        parts = [
            text_of(arguments, "an argument of functools.partial", version, ())
            for arguments in (factory.args, factory.keywords)
        ]
        return name, digest_of([digest, *parts])
    of = factory if inspect.isclass(factory) or inspect.isroutine(factory) else type(factory)
    name = f"{of.__module__}.{of.__qualname__}"
    version = version_of(factory)
    parts = [name, *code_of(of, version, ())]
    if of is not factory:
        parts += [text_of(vars(factory), f"an attribute of {name}", version, ())]
    return name, digest_of(parts if version is None else [*parts, f"version {version}"])


def version_of(factory):
    """The explicit version of a learner, or None."""
    version = getattr(factory, "version", None)
    return version if isinstance(version, str) else None


def digest_of(parts):
    return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


def code_of(of, version, above):
    """Source and captured values of a class with its base classes, or of a function. Raises Unknown."""
    parts = []
    for definition in of.__mro__[:-1] if inspect.isclass(of) else [of]:
        try:
            parts.append(inspect.getsource(definition))
        except (OSError, TypeError):
            # Entered at a prompt, made by type(), or compiled: byte code identifies the functions.
            parts.append(f"no source of {definition.__module__}.{definition.__qualname__}")
            parts += [byte_code(function.__code__) for function in functions_of(definition)]
            parts += attributes_of(definition, version, above) if inspect.isclass(definition) else []
        for function in functions_of(definition):
            parts += captured(function, version, above)
    return parts


def attributes_of(owner, version, above):
    """The attributes of a class that are values, as texts. Raises Unknown."""
    attributes = []
    for name, value in vars(owner).items():
        member = (
            inspect.isroutine(value)
            or inspect.isdatadescriptor(value)
            or isinstance(value, (staticmethod, classmethod))
        )
        if not member and not (name.startswith("__") and name.endswith("__")):
            what = f"attribute {name} of {owner.__qualname__}"
            attributes.append(f"{what} = {text_of(value, what, version, above)}")
    return attributes


def functions_of(definition):
    """The Python functions of a class, or the function itself."""
    members = map(
        inspect.unwrap, map(plain, vars(definition).values() if inspect.isclass(definition) else [definition])
    )
    # Python 3.14 makes functions that compute annotations, which do not determine results.
    return [member for member in members if inspect.isfunction(member) and member.__name__ != "__annotate__"]


def byte_code(code):
    """A text of a code object, which differs between versions of Python."""
    constants = [
        byte_code(constant) if inspect.iscode(constant) else text_of(constant, "a constant", None, ())
        for constant in code.co_consts
    ]
    return f"{code.co_name} {code.co_code.hex()} {code.co_names} {code.co_varnames} {constants}"


def plain(member):
    """The function of a static method, class method or property; other members as they are."""
    return getattr(member, "__func__", None) or getattr(member, "fget", None) or member


def captured(function, version, above):
    """The default arguments and closure variables of a function, as texts. Raises Unknown."""
    values = {}
    for kind, value in (("default", function.__defaults__), ("keyword default", function.__kwdefaults__)):
        if value:
            values[f"{kind} of {function.__qualname__}"] = value
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
        if name != "__class__":  # for super()
            values[f"closure variable {name} of {function.__qualname__}"] = cell.cell_contents
    return [f"{what} = {text_of(value, what, version, above)}" for what, value in values.items()]


def text_of(value, what, version, above):
    """A text that is equal for equal values only. Raises Unknown, unless `version` stands for unknown values.

    `above`: the ids of the objects that contain the value.
    """
    if value is None or isinstance(value, (bool, int, float, complex, str, bytes, type(...))):
        # NumPy 2 writes a number that is also a float of Python as np.float64(0.5), earlier versions as 0.5.
        text = str(value) if isinstance(value, np.number) else repr(value)
        return f"{type(value).__name__} {text}"
    if id(value) in above:
        return "itself"
    above = (*above, id(value))
    if isinstance(value, (list, tuple)):
        return f"{type(value).__name__} [{', '.join(text_of(item, what, version, above) for item in value)}]"
    if isinstance(value, (set, frozenset)):
        return f"set {sorted(text_of(item, what, version, above) for item in value)}"
    if isinstance(value, dict):
        pairs = [
            (text_of(key, what, version, above), text_of(item, what, version, above)) for key, item in value.items()
        ]
        return f"dict {sorted(pairs)}"
    if isinstance(value, (np.ndarray, np.generic)) and value.dtype.kind != "O":
        return f"array {value.dtype.str} {value.shape} {hashlib.sha256(np.ascontiguousarray(value)).hexdigest()}"
    if inspect.isclass(value) or inspect.isfunction(value):
        return digest_of(code_of(value, version, above))
    if isinstance(value, functools.partial):
        return text_of([value.func, value.args, value.keywords], what, version, above)
    if inspect.ismodule(value) or inspect.isbuiltin(value) and inspect.ismodule(value.__self__):
        return f"{type(value).__name__} {value.__name__}"
    if version is None:
        raise Unknown(f"{what} is a {type(value).__name__}, which cannot be identified; {REMEDY}")
    return f"unknown {type(value).__name__}"
