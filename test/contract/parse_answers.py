"""Parses recorded answers with the client that openapi-python-client has generated, each by its operation's parser.

Usage: parse_answers.py RECORDED, with the folder that holds the client in PYTHONPATH and as working folder. RECORDED has one JSON object a line. Prints one line
for each answer that the client cannot parse, that it leaves without a type, or of which it loses something.
"""

import base64
import importlib
import json
import pathlib
import re
import sys
from datetime import datetime

import attrs
import httpx
from openapi_python_client.strings import snake_case

from client import Client
from client.types import File, Unset

TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)")
CLIENT = Client(base_url="http://assay", raise_on_unexpected_status=True)


def undescribed(value: object, path: str = "") -> list[str]:
    """Members of answers that the document does not name. An object without any named member takes any."""
    if isinstance(value, list):
        return [found for index, item in enumerate(value) for found in undescribed(item, f"{path}[{index}]")]
    if not attrs.has(type(value)) or isinstance(value, File):
        return []
    names = [field.name for field in attrs.fields(type(value)) if field.name != "additional_properties"]
    further = [f"{path}.{name}" for name in value.additional_properties] if names else []
    return further + [found for name in names for found in undescribed(getattr(value, name), f"{path}.{name}")]


def comparable(value: object) -> object:
    """JSON with each time as what it means: the client writes its own spelling of it."""
    if isinstance(value, dict):
        return {name: comparable(item) for name, item in value.items()}
    if isinstance(value, list):
        return [comparable(item) for item in value]
    if isinstance(value, str) and TIME.fullmatch(value):
        return datetime.fromisoformat(value)
    return value


def fault(answer: dict) -> str | None:
    name = snake_case(answer["operation"])
    [module] = pathlib.Path("client/api").glob(f"*/{name}.py")
    operation = importlib.import_module(f"client.api.{module.parent.name}.{name}")
    content = base64.b64decode(answer["body"])
    headers = {"content-type": answer["contentType"]} if answer["contentType"] else {}
    response = httpx.Response(answer["status"], headers=headers, content=content)
    try:
        parsed = operation._parse_response(client=CLIENT, response=response)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    if content == b"":
        return None if parsed is None else "there is no body, and it was parsed"
    if isinstance(parsed, Unset) or parsed is None:
        return "it has no type"
    if isinstance(parsed, File):
        return None if parsed.payload.read() == content else "its bytes are others"
    if isinstance(parsed, str):
        return None if parsed == content.decode() else "its text is another"
    if not attrs.has(type(parsed)):
        return f"it is a {type(parsed).__name__}"
    if found := undescribed(parsed):
        return f"undescribed: {', '.join(found)}"
    if comparable(parsed.to_dict()) != comparable(json.loads(content)):
        return "written again, it is another"
    return None


def main(recorded: str) -> int:
    faults: dict[str, int] = {}
    with open(recorded, encoding="utf-8") as lines:
        for line in lines:
            answer = json.loads(line)
            if found := fault(answer):
                sentence = f"{answer['operation']} {answer['status']}: {found}"
                faults[sentence] = faults.get(sentence, 0) + 1
    for sentence, count in faults.items():
        print(f"{count} of {sentence}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
