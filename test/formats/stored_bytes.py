"""An event in EventStoreDB byte for byte: type, content type, data and metadata, a line each.

Usage: stored_bytes.py URL STREAM REVISION
"""

import sys

from kurrentdbclient import KurrentDBClient

url, stream, revision = sys.argv[1:]
with KurrentDBClient(url) as client:
    (event,) = client.get_stream(stream, stream_position=int(revision), limit=1)
    for part in (event.type.encode(), event.content_type.encode(), event.data, event.metadata):
        sys.stdout.buffer.write(part + b"\n")
