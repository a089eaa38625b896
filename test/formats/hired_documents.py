"""How many candidates of a role were hired in some time, by the documents in MongoDB alone.

Usage: hired_documents.py URL ROLE FROM TO    FROM is in it, TO is not: 2026-06-01 2026-07-01
"""

import sys
from datetime import datetime, timezone

from pymongo import MongoClient

url, role, since, until = sys.argv[1:]


def day(text):
    return datetime.fromisoformat(text).replace(tzinfo=timezone.utc)


with MongoClient(url) as client:
    database = client.get_default_database()
    live = database.pointers.find_one({"view": "applications"})["pointer"]["live"]["name"]
    hired = database[f"view.{live}"].count_documents(
        {
            "body.roleId": role,
            "body.outcome.disposition": "hired",
            "body.outcome.recordedAt": {"$gte": day(since), "$lt": day(until)},
        }
    )
print(hired)
