"""The entities of a crate: a flat JSON-LD list with each entity once, identified by its @id."""

import hashlib
import json
import os
import urllib.parse


def quoted(text):
    """Percent-encodes a text or path for use in an @id."""
    return urllib.parse.quote(os.fsencode(text))


def short_digest(value):
    """First twelve hexadecimal digits of the SHA-256 of a JSON value."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode("utf-8")).hexdigest()[:12]


def reference(identifier):
    return {"@id": identifier}


class Graph:
    """Entities by @id, in insertion order."""

    def __init__(self):
        self.entities = {}

    def add(self, identifier, kind, /, **properties):
        """Adds an entity unless its @id exists, and returns a reference to it.

        Skips properties that are None or empty. Replaces a list of one value by the value, as RO-Crate requires.
        """
        if identifier not in self.entities:
            entity = {"@id": identifier, "@type": kind}
            for name, value in properties.items():
                value = value[0] if isinstance(value, list) and len(value) == 1 else value
                if value is not None and value != "" and value != []:
                    entity[name] = value
            self.entities[identifier] = entity
        return reference(identifier)

    def properties(self, values, names):
        """Adds a PropertyValue for each name with a value and returns references. For properties that schema.org
        lacks."""
        return [
            self.add(f"#{name}-{short_digest(values[name])}", "PropertyValue", name=name, value=values[name])
            for name in names
            if values.get(name) is not None
        ]
