"""How many candidates of a role were hired in some time, by the events in EventStoreDB alone.

Usage: hired_events.py URL ROLE FROM TO    FROM is in it, TO is not: 2026-06-01 2026-07-01
"""

import json
import sys

from kurrentdbclient import KurrentDBClient

url, role, since, until = sys.argv[1:]
hired = {}
with KurrentDBClient(url) as client:
    for event in client.read_all(filter_include=[r"outcome\..*"]):
        data = json.loads(event.data)
        # The latest outcome of an application counts, and a retracted one does not.
        hired.pop(data["applicationId"], None)
        if event.type == "outcome.recorded" and data["roleId"] == role and data["disposition"] == "hired":
            hired[data["applicationId"]] = json.loads(event.metadata)["recordedAt"]
print(sum(since <= at < until for at in hired.values()))
