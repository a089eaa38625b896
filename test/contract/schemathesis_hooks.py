"""What schemathesis is told about a prepared service, and what of its findings is no fault.

`ASSAY_PREPARED` names a JSON file: `values` of parameters that lead to existing records, by parameter; `only`, the same by
operation; `receiver`, the address that takes notices. `ASSAY_REACHED` names the file that gets how often each operation
answered with which status.
"""

import atexit
import json
import os
import re
import threading
from collections import Counter, defaultdict
from urllib.parse import urlsplit

import schemathesis

with open(os.environ["ASSAY_PREPARED"], encoding="utf-8") as file:
    PREPARED = json.load(file)

LOCK = threading.Lock()
REACHED: dict[str, Counter] = defaultdict(Counter)
LONGEST_URL = 2000
# What is no URI, the service has to refuse as it is.
PRINTABLE = re.compile(r"[!-~]+")
# A list that is narrowed by what is no id has what it has for an unknown one.
ID_IN_QUERY = re.compile(r"`\w+Id` in query")


def operation_id(case) -> str:
    return case.operation.definition.raw["operationId"]


@schemathesis.hook
def before_load_schema(context, raw_schema):
    """Lets parameters be what is there: of random ids none would be."""
    shared = raw_schema.get("components", {}).get("parameters", {})
    for path in raw_schema["paths"].values():
        for operation in path.values():
            values = {**PREPARED["values"], **PREPARED["only"].get(operation["operationId"], {})}
            described = [dict(shared[p["$ref"].split("/")[-1]] if "$ref" in p else p) for p in operation.get("parameters", [])]
            for parameter in described:
                if parameter["name"] in values:
                    schema, texts = parameter["schema"], values[parameter["name"]]
                    typed = [int(text) for text in texts] if schema.get("type") == "integer" else texts
                    parameter["schema"] = {**schema, "enum": typed}
                    for example in ("example", "examples"):
                        parameter.pop(example, None)
            operation["parameters"] = described


seen = threading.local()


@schemathesis.hook
def before_call(context, case, kwargs):
    # A client that has changed something sends the token that it was answered with its next read: without it, a read may
    # be a moment behind.
    if case.method == "GET" and case.meta is not None and case.meta.phase.name.value == "stateful":
        token = getattr(seen, "token", None)
        if token is not None:
            case.headers["Consistency-Token"] = token
    # Notices go to nobody but the test: only the request is another, what it is judged by is not.
    if operation_id(case) == "webhooks.create" and isinstance(case.body, dict) and may_be_sent_to(case.body.get("url")):
        kwargs["json"] = {**case.body, "url": PREPARED["receiver"]}


def may_be_sent_to(url) -> bool:
    try:
        if not isinstance(url, str) or len(url) > LONGEST_URL or not PRINTABLE.fullmatch(url):
            return False
        return urlsplit(url).scheme in ("http", "https")
    except ValueError:
        return False


@schemathesis.hook
def after_call(context, case, response):
    token = response.headers.get("consistency-token")
    if token:
        seen.token = token[0]
    # Methods that an operation does not have are tried, too.
    if case.method.upper() != case.operation.method.upper():
        return
    with LOCK:
        REACHED[operation_id(case)][response.status_code] += 1


@atexit.register
def write_reached():
    with open(os.environ["ASSAY_REACHED"], "w", encoding="utf-8") as file:
        json.dump(REACHED, file)


@schemathesis.hook
def filter_failure(context, failure, case, response) -> bool:
    """Whether a finding is a fault. Each that is none has its reason here."""
    kind = type(failure).__name__
    if kind == "RejectedPositiveData":
        return not breaks_no_schema(response)
    if kind == "AcceptedNegativeData":
        return not (only_path_is_invalid(case) or ID_IN_QUERY.search(str(failure.message)))
    if kind == "UseAfterFree":
        return operation_id(case) not in KEEPS_REVOKED
    return True


# A revoked key opens nothing any more, and its record stays: it says whose it was and when it ended.
KEEPS_REVOKED = {"apiKeys.read"}

# Rules of the service that no schema can say.
BEYOND_SCHEMAS = {
    # Some parameters narrow a list only without others.
    "together",
    # Nothing but the `nextCursor` of a page of the same list is a cursor.
    "cursor",
    # A time of expiry must be ahead of now.
    "future",
    # A URL must have a host, by the rules of the URL standard, and one that notices may be sent to.
    "target",
    # A token in place of a time must be of this service.
    "moment",
    # A dimension that is named by its id must be the role's, and be named once.
    "known",
    "unique",
    # An event's size is that of its JSON, in bytes.
    "maxBytes",
    # A file set must be complete and the ticket's own.
    "fileSet",
    # What is attached to a ticket must go with its kind, which may be the one that it has.
    "consistent",
    # The text of a CSV must be one, with a header and rows.
    "csv",
    "header",
    "rows",
    # A retake is of an application of the same candidate for the same role.
    "retake",
    # A time zone must be one of the IANA database.
    "timeZone",
    # A name that mails show must not hold what a mail program makes a link of.
    "inMails",
    "name",
    # A logo's bytes must be a picture.
    "logo",
    # What is percent-encoded must be UTF-8, of a largest length, and not all spaces.
    "percentEncoded",
    "text",
}


def breaks_no_schema(response) -> bool:
    """Whether valid data was refused for what no schema can say."""
    if response.status_code != 400:
        return False
    details = response.json().get("details") or []
    # A list that is searched has an order of its own, and `sort` may be nothing else.
    # A saved view's filter must be one of the list that it is of, and hold no address but a candidate's.
    return details != [] and all(
        one["rule"] in BEYOND_SCHEMAS or one["path"] == "sort" or one["path"].startswith("filter.")
        for one in details
    )


def only_path_is_invalid(case) -> bool:
    """A path takes any string, and one that is no id is an unknown id. It is invalid here for not being among `values`."""
    places = [place.value for place, part in case.meta.components.items() if part.mode.is_negative]
    return places == ["path"]
