"""Sphinx extension: declares the members of a namespace in a header without the namespace itself.

breathe describes the namespace again for every header, and Sphinx reports a duplicate declaration. This extension
enters the scope of the namespace instead, so that names within it are still resolved.
"""

from breathe.renderer.sphinxrenderer import SphinxRenderer, WithContext
from sphinx.domains.cpp import DefinitionParser

SCOPE = "cpp:parent_symbol"
KEY = "cpp:parent_key"


def visit_namespace(self, node):
    file_data = self.compound_parser.parse(node.refid)
    outer = self.context.create_child_context(file_data)
    env = self.app.env
    before = env.temp_data.get(SCOPE), env.ref_context.get(KEY)
    name = DefinitionParser(file_data.compounddef.compoundname, location=None, config=env.config)
    symbol = env.domaindata["cpp"]["root_symbol"].add_name(name.parse_namespace_object().nestedName)
    env.temp_data[SCOPE], env.ref_context[KEY] = symbol, symbol.get_lookup_key()
    # Within a declaration, members are shown by their unqualified names.
    self.nesting_level += 1
    try:
        with WithContext(self, outer.create_child_context(file_data.compounddef)):
            return self.render(file_data, outer)
    finally:
        self.nesting_level -= 1
        if before[0] is None:
            del env.temp_data[SCOPE], env.ref_context[KEY]
        else:
            env.temp_data[SCOPE], env.ref_context[KEY] = before


def setup(app):
    SphinxRenderer.visit_namespace = visit_namespace
    return {"parallel_read_safe": True, "parallel_write_safe": True}
