"""The entities of a crate: a flat list in JSON-LD, each entity once, known by its @id."""

import hashlib
import json
import os
import urllib.parse


def quoted(text):
    """A text, or path, as part of an @id."""
    return urllib.parse.quote(os.fsencode(text))


def short_digest(value):
    """Of a value for JSON: twelve digits that tell it from others."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode("utf-8")).hexdigest()[:12]


def reference(identifier):
    return {"@id": identifier}


class Graph:
    """Entities by their @id, in the order in which they were added."""

    def __init__(self):
        self.entities = {}

    def add(self, identifier, kind, /, **properties):
        """A reference to the entity, which is added where there is none of this @id. What is None, or empty, is left
        out; of a list with one value the value is written, as RO-Crate has it."""
        if identifier not in self.entities:
            entity = {"@id": identifier, "@type": kind}
            for name, value in properties.items():
                value = value[0] if isinstance(value, list) and len(value) == 1 else value
                if value is not None and value != "" and value != []:
                    entity[name] = value
            self.entities[identifier] = entity
        return reference(identifier)

    def properties(self, values, names):
        """PropertyValues of these names, for what schema.org has no property of its own for."""
        return [
            self.add(f"#{name}-{short_digest(values[name])}", "PropertyValue", name=name, value=values[name])
            for name in names
            if values.get(name) is not None
        ]
