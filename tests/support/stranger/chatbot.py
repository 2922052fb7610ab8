"""The application under test, and the team's own model that judges it."""

import json
import re

from deepeval.models import DeepEvalBaseLLM
from pydantic import BaseModel


def answer(question: str) -> str:
    """Return what the shop's chatbot says."""
    return "You may return boots within 30 days." if "boots" in question else "I am afraid I do not know."


class TeamModel(DeepEvalBaseLLM):
    """Stands in for a model behind an API of the team's own; it is content with everything."""

    def __init__(self, model_name="team-7b"):
        self.model_name = model_name

    def load_model(self):
        return self

    def generate(self, prompt: str, schema: type[BaseModel]) -> BaseModel:
        client = self.load_model()
        return client.filled(schema.model_json_schema(), schema)

    async def a_generate(self, prompt: str, schema: type[BaseModel]) -> BaseModel:
        return self.generate(prompt, schema)

    def get_model_name(self):
        return f"Team's own {self.model_name}"

    def filled(self, definition, schema):
        kinds = {"string": "yes", "integer": 9, "number": 9, "array": [], "boolean": True}

        def value(part):
            if "$ref" in part:
                part = definition["$defs"][re.sub(".*/", "", part["$ref"])]
            if "enum" in part:
                return part["enum"][0]
            if part.get("type") == "object" or "properties" in part:
                return {name: value(inner) for name, inner in part.get("properties", {}).items()}
            if part.get("type") == "array" and part.get("items", {}).get("type") == "string":
                return ["Look at the reply."]
            return kinds.get(part.get("type"), "yes")

        return schema(**json.loads(json.dumps(value(definition))))
