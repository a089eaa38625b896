"""Reads the event log of a data folder or of a backup, by docs/formats.md alone.

Usage: read_log.py FOLDER    prints the log's id, then one JSON line for each event, in the order of the log

FOLDER holds `log/data.mdb`. Nothing beside Python's standard library is needed. The file is read as of its newest
committed transaction; read a copy or a backup if the service is running, since it overwrites pages that it has freed.
"""

import json
import struct
import sys
import zlib
from pathlib import Path

PAGE_HEADER = 24
BRANCH, LEAF = 0x01, 0x02
OVERFLOWS, TABLE = 0x01, 0x02
NO_PAGE = 0xFFFF_FFFF_FFFF_FFFF


class Database:
    """One LMDB data file, as of its newest transaction."""

    def __init__(self, data):
        self.data = data
        (self.page_size,) = struct.unpack_from("<I", data, 48)
        metas = (0, self.page_size)
        for at in metas:
            if struct.unpack_from("<I", data, at + 24) != (0xBEEFC0DE,):
                raise SystemExit("This is no LMDB data file.")
        newest = max(metas, key=lambda at: struct.unpack_from("<Q", data, at + 152))
        self.tables = {key.rstrip(b"\0").decode(): value for key, value in self.entries(newest + 96)}

    def table(self, name):
        """Keys and values of a table, in the order of keys."""
        return self.entries(self.tables[name])

    def entries(self, tree):
        """Keys and values of the tree that is described at this place in the file."""
        (root,) = struct.unpack_from("<Q", self.data, tree + 40)
        if root != NO_PAGE:
            yield from self.page(root)

    def page(self, number):
        at = number * self.page_size
        flags, lower = struct.unpack_from("<xxHH", self.data, at + 16)
        for index in range(lower // 2):
            (offset,) = struct.unpack_from("<H", self.data, at + PAGE_HEADER + 2 * index)
            node = at + PAGE_HEADER + offset
            low, high, key_size = struct.unpack_from("<IHH", self.data, node)
            if flags & BRANCH:
                yield from self.page(low | high << 32)
                continue
            key_end = node + 8 + key_size
            key = self.data[node + 8 : key_end]
            if high & TABLE:
                yield key, key_end
            elif high & OVERFLOWS:
                (first,) = struct.unpack_from("<Q", self.data, key_end)
                start = first * self.page_size + PAGE_HEADER
                yield key, self.data[start : start + low]
            else:
                yield key, self.data[key_end : key_end + low]


def event_of(record):
    checksum, form, stream, kind, identity = struct.unpack_from(">IBBBB", record)
    if checksum != zlib.crc32(record[4:]) or form != 1:
        raise SystemExit("An event is damaged, or of a newer format.")
    revision = int.from_bytes(record[8:14], "big")
    ordinal, count, data_size = struct.unpack_from(">III", record, 14)
    texts, at = [], 26
    for size in (stream, kind, identity):
        texts.append(record[at : at + size].decode())
        at += size
    data, metadata = record[at : at + data_size], record[at + data_size :]
    return {
        "stream": texts[0],
        "revision": revision,
        "type": texts[1],
        "id": texts[2],
        "append": [ordinal, count],
        "data": json.loads(data),
        "metadata": json.loads(metadata),
    }


def read_log(folder):
    """The log's id and format, then every event in the order of the log."""
    database = Database((folder / "log" / "data.mdb").read_bytes())
    meta = {key.rstrip(b"\0").decode(): value.decode() for key, value in database.table("meta")}
    if meta["format"] != "2":
        raise SystemExit("The log has another format.")
    yield {"log": meta["log"], "format": int(meta["format"])}
    for _, record in database.table("events"):
        yield event_of(record)


if __name__ == "__main__":
    for line in read_log(Path(sys.argv[1])):
        print(json.dumps(line))
