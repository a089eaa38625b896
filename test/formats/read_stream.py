"""A stream in EventStoreDB as a reader gets it: one JSON line for each event.

Usage: read_stream.py URL STREAM
"""

import json
import sys

from kurrentdbclient import KurrentDBClient

url, stream = sys.argv[1:]
with KurrentDBClient(url) as client:
    for event in client.get_stream(stream):
        line = {
            "revision": event.stream_position,
            "type": event.type,
            "id": str(event.id),
            "contentType": event.content_type,
            "data": json.loads(event.data),
            "metadata": json.loads(event.metadata),
        }
        print(json.dumps(line, ensure_ascii=False))
