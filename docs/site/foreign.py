"""Sphinx extension: replaces references to names of other libraries with plain text, so that Sphinx does not search
for them."""

import re

from sphinx.addnodes import pending_xref
from sphinx.transforms.post_transforms import SphinxPostTransform

FOREIGN = re.compile(r"(std|Eigen|boost)\b")


class ForeignNames(SphinxPostTransform):
    default_priority = 5  # before links are resolved

    def run(self, **options):
        for node in list(self.document.findall(pending_xref)):
            if node.get("refdomain") == "cpp" and FOREIGN.match(node["reftarget"]):
                node.replace_self(node.children)


def setup(app):
    app.add_post_transform(ForeignNames)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
