"""Checks a backup and prints what it holds, by docs/formats.md alone.

Usage: read_backup.py FOLDER    prints what backup.json says, the persons, then one JSON line for each event

Nothing beside Python's standard library is needed. Ends with a message if anything is not as it was saved.
"""

import hashlib
import json
import sys
from pathlib import Path

from read_log import read_log


def whole(condition, what):
    if not condition:
        raise SystemExit(f"The backup is damaged: {what}.")


def files_in(folder):
    """The files of a folder of shards, in the order of shards and names."""
    return [file for shard in sorted(folder.iterdir()) for file in sorted(shard.iterdir())]


def measure(path):
    """Files, bytes and SHA-256 of a part."""
    digest = hashlib.sha256()
    if path.is_file():
        content = path.read_bytes()
        digest.update(content)
        return 1, len(content), digest.hexdigest()
    files = files_in(path)
    for file in files:
        content = file.read_bytes()
        digest.update(f"{file.name} {len(content)}\n".encode() + content)
    return len(files), sum(file.stat().st_size for file in files), digest.hexdigest()


def main(folder):
    manifest = json.loads((folder / "backup.json").read_bytes())
    sealed = {name: value for name, value in manifest.items() if name != "sha256"}
    text = json.dumps(sealed, separators=(",", ":"), ensure_ascii=False)
    whole(hashlib.sha256(text.encode()).hexdigest() == manifest["sha256"], "backup.json")
    for part in manifest["parts"]:
        found = measure(folder / part["path"])
        whole(found == (part["files"], part["bytes"], part["sha256"]), part["path"])
    head, *events = read_log(folder)
    whole(head["log"] == manifest["logId"] and len(events) == manifest["events"], "log/data.mdb")
    whole(manifest["head"] == f"{len(events):014x}", "the head")
    erased = {file.name for file in files_in(folder / "vault" / "erased")}
    keys = {file.name for file in files_in(folder / "vault" / "keys")} - erased
    whole((len(keys), len(erased)) == (manifest["people"], manifest["erased"]), "the number of persons")
    print(json.dumps(sealed))
    print(json.dumps({"keys": sorted(keys), "erased": sorted(erased)}))
    for event in events:
        print(json.dumps(event))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
