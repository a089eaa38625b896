#!/usr/bin/env python3
"""Says whether an exported bundle of evidence holds.

    python3 verify_evidence.py FOLDER [--keys FILE]

Written from docs/evidence.md alone, to try that the page is enough for a verifier in another language: it shares no line
with verify-evidence.mjs, and the tests compare what the two say. It needs Python 3.9 and nothing else. It ends with 0 where the evidence holds, with 1 where it does not. FILE holds the published keys, fetched by you.
Whatever is printed out of a bundle is printed quoted and in ASCII: no name in it can fake a line of this program.
"""
from __future__ import annotations

import argparse
import base64
import hashlib
import json
import os
import re
import sys
from typing import Any, Optional

# --- Ed25519, after RFC 8032, 5.1: points are (X, Y, Z, T) with x = X/Z, y = Y/Z, xy = T/Z. Nothing here is secret. ---

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
NEUTRAL = (0, 1, 1, 0)


def add(a: tuple, b: tuple) -> tuple:
    e, f = (a[1] - a[0]) * (b[1] - b[0]) % P, (a[1] + a[0]) * (b[1] + b[0]) % P
    g, h = 2 * a[3] * b[3] * D % P, 2 * a[2] * b[2] % P
    return (f - e) * (h - g) % P, (h + g) * (f + e) % P, (h - g) * (h + g) % P, (f - e) * (f + e) % P


def times(scalar: int, point: tuple) -> tuple:
    total = NEUTRAL
    while scalar:
        total = add(total, point) if scalar & 1 else total
        point, scalar = add(point, point), scalar >> 1
    return total


def equal(a: tuple, b: tuple) -> bool:
    return (a[0] * b[2] - b[0] * a[2]) % P == 0 and (a[1] * b[2] - b[1] * a[2]) % P == 0


def decode_point(data: bytes) -> Optional[tuple]:
    """A point of its 32 bytes; None where they are no point, or not the one way to write it."""
    sign, y = divmod(int.from_bytes(data, "little"), 2**255)
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    if y >= P or (x * x - square) % P or (x == 0 and sign):
        return None
    x = x if x & 1 == sign else P - x
    return x, y, 1, x * y % P


BASE = decode_point((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))


def signature_is_good(key: bytes, message: bytes, signature: bytes) -> bool:
    """The strict reading: both points in their one form, S below the order, no factor 8, no key of small order."""
    a, r, s = decode_point(key), decode_point(signature[:32]), int.from_bytes(signature[32:], "little")
    if a is None or r is None or s >= ORDER or equal(times(8, a), NEUTRAL):
        return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % ORDER
    return equal(times(s, BASE), add(r, times(k, a)))


# --- Bytes, JSON and numbers ---


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def framed(*fields: str) -> bytes:
    """With its length before each, no two lists of fields give the same bytes."""
    return b"".join(len(data).to_bytes(4, "big") + data for data in (field.encode() for field in fields))


def base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def from_base64url(text: Any, length: int) -> bytes:
    """Python skips what is not base64. So the bytes are written again: there is one way to write them."""
    data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)) if type(text) is str else b""
    if len(data) != length or base64url(data) != text:
        raise ValueError(f"{text!a} is not {length} bytes in base64url")
    return data


class Number(str):
    """A JSON number as it was written, so that no digit is lost before it is reckoned with."""


def unique(pairs: list) -> dict:
    if len(dict(pairs)) != len(pairs):
        raise ValueError("a name stands twice in an object")  # two readers could take two different values
    return dict(pairs)


def refuse(word: str) -> None:
    raise ValueError(f"{word} is no JSON")  # Python would take NaN and Infinity


def parse(text: str) -> Any:
    return json.loads(text, object_pairs_hook=unique, parse_int=Number, parse_float=Number, parse_constant=refuse)


def same(a: Any, b: Any) -> bool:
    """The same values of the same kinds, members in the same order. A number is not the text of its digits."""
    if type(a) is dict and type(b) is dict:
        return list(a) == list(b) and all(same(a[name], b[name]) for name in a)
    if type(a) is list and type(b) is list:
        return len(a) == len(b) and all(map(same, a, b))
    return type(a) is type(b) and a == b


def millionths(value: Any) -> int:
    """Exact, whatever a double would make of it. 15 digits are more than a score has, and keep this quick."""
    match = re.fullmatch(r"(-?)([0-9]{1,15})(?:\.([0-9]{1,6}))?", value) if type(value) is Number else None
    if match is None:
        raise ValueError(f"{value!a} is not a number with at most 6 decimal places")
    amount = int(match[2]) * 10**6 + int((match[3] or "").ljust(6, "0"))
    return -amount if match[1] else amount


def whole_number(value: Any) -> int:
    if millionths(value) % 10**6:
        raise ValueError(f"{value!a} is not a whole number")
    return millionths(value) // 10**6


def half_up(numerator: int, denominator: int) -> int:
    """Rounded to a whole number, a half towards the greater one. Python's // goes down, below 0 too."""
    if denominator < 0:
        numerator, denominator = -numerator, -denominator
    return (2 * numerator + denominator) // (2 * denominator)


# --- The lines of events.jsonl ---

RESULTS = {"evaluation.generated": "ready", "evaluation.failed": "failed"}
ENDS = ("trial.completed", "trial.withdrawn", "trial.expired", "trial.erased")
TEXT = (".*", re.DOTALL)
HEX = ("[0-9a-f]{64}", 0)
WHOLE = range(1, 2**53)  # what every reader of JSON holds exactly
# For each member the shapes it may have: a text by its pattern, a number by its range, an object by its members.
SHAPES: dict = {
    "of": [("session|evaluation", 0)],
    "number": [WHOLE],
    "id": [TEXT],
    "type": [TEXT],
    "schemaVersion": [WHOLE],
    "recordedAt": [(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?Z", 0)],
    "actor": [{"type": [TEXT], "id": [TEXT]}],
    "person": [None, (".+", re.DOTALL)],  # null is hashed as an empty text: an empty text would be a second way
    "plain": [TEXT],
    "commitment": [None, HEX],
    "personal": [None, {"salt": [HEX], "text": [TEXT]}, ("erased|unopened", 0)],
    "previousHash": [HEX],
    "hash": [HEX],
    "signature": [None, {"keyId": [TEXT], "value": [TEXT]}],
}


def fits(value: Any, shape: Any) -> bool:
    if isinstance(shape, dict):
        return type(value) is dict and list(value) == list(shape) and all(
            any(fits(value[name], one) for one in shape[name]) for name in shape
        )
    if isinstance(shape, range):
        return type(value) is int and value in shape  # neither True nor 1.0, which Python takes for 1
    if shape is None:
        return value is None
    return type(value) is str and re.fullmatch(shape[0], value, shape[1]) is not None


def read_line(text: str) -> dict:
    """One line, with what its `plain` says added as "said" and a name for messages as "where"."""
    line = json.loads(text)
    if json.dumps(line, ensure_ascii=False, separators=(",", ":")) != text:
        raise ValueError("it is not written in the one way there is")
    if not isinstance(line, dict) or list(line) != list(SHAPES):
        raise ValueError("it does not hold the members it must, in their order")
    for name, shapes in SHAPES.items():
        if not any(fits(line[name], shape) for shape in shapes):
            raise ValueError(f"its {name} is not as it must be")
    said = parse(line["plain"])
    if not isinstance(said, dict):
        raise ValueError("its plain part is not an object")
    return {**line, "said": said, "where": f"{line['of']} event {line['number']}"}


def read_keys(keys: Any) -> dict:
    """The keys by their ids. An id is made of its key, so no key can stand under the id of another."""
    found: dict = {}
    kind = {"kty": "OKP", "crv": "Ed25519", "use": "sig", "alg": "EdDSA"}
    for key in keys if isinstance(keys, list) else [None]:
        if not isinstance(key, dict) or set(key) != {*kind, "x", "kid"} or {**key, **kind} != key:
            raise ValueError("the keys are not a list of Ed25519 keys as they are published")
        from_base64url(key["x"], 32)
        kid = base64url(hashlib.sha256(b'{"crv":"Ed25519","kty":"OKP","x":"%s"}' % key["x"].encode()).digest())
        if key["kid"] != kid or kid in found:
            raise ValueError("the kid of a key is not the id of its x, or a key stands twice")
        found[kid] = key
    return found


class Verifier:
    def __init__(self) -> None:
        self.holds = True
        self.files: dict[str, bytes] = {}
        self.lines: list[dict] = []
        self.results: list[dict] = []
        self.completed: Optional[dict] = None

    def must(self, condition: bool, otherwise: str) -> bool:
        if not condition:
            self.holds = False
            print("BROKEN      ", otherwise)
        return condition

    def verify(self, folder: str, keys_file: Optional[str]) -> None:
        published = None
        if keys_file is not None:
            with open(keys_file, encoding="utf-8") as file:
                published = read_keys(parse(file.read())["keys"])
        self.read_folder(folder)
        if not self.read_events():
            return  # what stands around a line that cannot be read cannot be judged
        self.check_chain()
        self.check_personal()
        there = "evaluation.json" in self.files
        self.must(there == bool(self.results), "evaluation.json must be there where there is a result, and only there")
        comparable, evaluation, own = there and bool(self.results), {}, {}
        try:
            evaluation = parse(self.files["evaluation.json"].decode()) if comparable else {}
            own = read_keys(evaluation["publicKeys"]) if comparable else {}
        except (KeyError, TypeError, ValueError, RecursionError) as error:
            comparable = self.must(False, f"evaluation.json: {type(error).__name__} {str(error)!a}")
        if published is None:
            print("not checked  whether these keys are the published ones (no --keys):", ", ".join(own) or "none")
        self.check_signatures(own if published is None else published)
        for line in self.results:
            if line["type"] == "evaluation.generated":
                self.check_arithmetic(line)
        if comparable:
            self.check_evaluation(evaluation, own, published)
        self.check_hand_ins()

    def read_folder(self, folder: str) -> None:
        for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
            # A link could lead anywhere, and reading a pipe would never end.
            if self.must(entry.is_file(follow_symlinks=False), f"{entry.name!a} is not a plain file"):
                with open(entry.path, "rb") as file:
                    data = self.files[entry.name] = file.read()
                text = data.decode("utf-8", "replace")
                well = text.encode() == data and text.endswith("\n") and not text.startswith("\ufeff")
                self.must(well, f"{entry.name!a} is not UTF-8 without a byte order mark that ends with a line feed")
        others = sorted(set(self.files) - {"SHA256SUMS"})
        named: list[str] = []
        for line in self.files.get("SHA256SUMS", b"").decode("utf-8", "replace").split("\n")[:-1]:
            match = re.fullmatch("([0-9a-f]{64})  (.+)", line)
            if self.must(match is not None, f"SHA256SUMS: {line!a} is not a hash, two blanks and a name"):
                named.append(match[2])
                if match[2] in others:
                    right = sha256(self.files[match[2]]) == match[1]
                    self.must(right, f"{match[2]!a} does not have the hash that SHA256SUMS tells")
        self.must(sorted(named) == others, f"SHA256SUMS names {sorted(named)!a}, and there are {others!a}")
        print(f"checked      {len(others)} files against SHA256SUMS")

    def read_events(self) -> bool:
        readable = self.must(bool(self.files.get("events.jsonl")), "there are no events in events.jsonl")
        for at, text in enumerate(self.files.get("events.jsonl", b"").decode().split("\n")[:-1], 1):
            try:
                self.lines.append(read_line(text))
            except (ValueError, RecursionError) as error:
                readable = self.must(False, f"line {at} of events.jsonl: {str(error)!a}")
        self.results = [line for line in self.lines if line["type"] in RESULTS]
        ends = [line for line in self.lines if line["of"] == "session" and line["type"] == "trial.completed"]
        self.completed = ends[0] if ends else None
        return readable

    def check_chain(self) -> None:
        before: dict = {"of": "", "number": 0, "hash": "0" * 64}
        ended = ""
        for line in self.lines:
            where, said, actor = line["where"], line["said"], line["actor"]
            first = line["of"] != before["of"]
            self.must(line["number"] == (1 if first else before["number"] + 1), f"{where}: its number is not the next")
            content = framed(
                "assay.evidence.v1", line["previousHash"], line["type"], str(line["schemaVersion"]), line["id"],
                line["recordedAt"], actor["type"], actor["id"], line["person"] or "", line["commitment"] or "",
                line["plain"],
            )
            self.must(sha256(content) == line["hash"], f"{where}: its hash is not that of its content")
            from_session = first and line["of"] == "evaluation" and self.completed
            previous = self.completed["hash"] if from_session else before["hash"]
            self.must(line["previousHash"] == previous, f"{where}: its previousHash is not the hash it must go on from")
            session = said.get("trialSessionId")
            known = type(session) is str and session == self.lines[0]["said"].get("trialSessionId")
            self.must(known, f"{where}: it is of another session than the first, or of none")
            at_home = line["type"].startswith("evaluation.") == (line["of"] == "evaluation")
            self.must(at_home, f"{where}: {line['type']!a} must not stand there")
            self.must(before.get("type") != "evaluation.erased", f"{where}: it stands behind evaluation.erased")
            if line["of"] == "session":
                self.must(before["of"] != "evaluation", f"{where}: it stands behind events of the evaluation")
                numbered = same(said.get("sequenceNumber"), Number(line["number"]))
                self.must(numbered, f"{where}: its sequenceNumber is not its number")
                may_stand = not ended or (ended != "trial.erased" and line["type"] == "trial.erased")
                self.must(may_stand, f"{where}: {line['type']!a} stands behind {ended}")
                ended = line["type"] if line["type"] in ENDS else ended
            elif self.must(self.completed is not None, f"{where}: an evaluation without a trial.completed"):
                evaluation = self.completed["said"].get("evaluationId")
                named = type(evaluation) is str and same(said.get("evaluationId"), evaluation)
                self.must(named, f"{where}: it is not of the evaluation that trial.completed names")
            before = line
        of_session = sum(line["of"] == "session" for line in self.lines)
        others = len(self.lines) - of_session
        print(f"checked      the chain: {of_session} events of the session, {others} of its evaluation")

    def check_personal(self) -> None:
        kinds: list[str] = []
        for line in self.lines:
            personal, commitment, where = line["personal"], line["commitment"], line["where"]
            if isinstance(personal, dict) and line["type"] in RESULTS:
                try:
                    self.must(isinstance(parse(personal["text"]), dict), f"{where}: its personal part is no object")
                except (ValueError, RecursionError) as error:
                    self.must(False, f"{where}: its personal part: {str(error)!a}")
            self.must((personal is None) == (commitment is None), f"{where}: one of personal and commitment is null")
            if isinstance(personal, dict):
                made = sha256(bytes.fromhex(personal["salt"]) + personal["text"].encode())
                self.must(made == commitment, f"{where}: its personal part is not the one it is committed to")
            if personal is not None:
                kinds.append("texts" if isinstance(personal, dict) else personal)
        self.must(len(set(kinds)) < 2, f"the personal parts are of several kinds: {sorted(set(kinds))}")
        last = [line["type"] for line in self.lines if line["of"] == "session"][-1:]
        self.must("erased" not in kinds or last == ["trial.erased"], "erased, and no trial.erased at the end")
        for kind in sorted(set(kinds)):
            print("checked     " if kind == "texts" else "not checked ", f"{kinds.count(kind)} personal parts: {kind}")

    def check_signatures(self, keys: dict) -> None:
        former = 0
        for line in self.lines:
            where, signature, head = line["where"], line["signature"], line["said"].get("head")
            result = line["type"] in RESULTS
            signed = self.must((signature is not None) == result, f"{where}: results, and they alone, must be signed")
            if not signed or not result:
                continue
            generation = line["said"].get("generation")
            later = type(generation) is Number and generation.isdigit() and int(generation) > former
            if self.must(later, f"{where}: its generation is not greater than that of the result before it"):
                former = int(generation)
            end = self.completed or {"number": "", "hash": ""}
            right = isinstance(head, dict) and same(head.get("sequenceNumber"), Number(end["number"]))
            # Over another head than this there is nothing that a signature could show.
            if not self.must(right and same(head.get("hash"), end["hash"]), f"{where}: its head is not trial.completed"):
                continue
            try:
                kid, value = signature["keyId"], from_base64url(signature["value"], 64)
                message = framed("assay.head.v1", head["sequenceNumber"], head["hash"], line["hash"])
                if self.must(kid in keys, f"{where}: the key {kid!a} is not among the keys"):
                    good = signature_is_good(from_base64url(keys[kid]["x"], 32), message, value)
                    if self.must(good, f"{where}: its signature is not good"):
                        print(f"checked      the signature of {where}, made with the key {kid}")
            except ValueError as error:
                self.must(False, f"{where}: its signature: {str(error)!a}")

    def check_arithmetic(self, line: dict) -> None:
        where, said, weights, weighted = line["where"], line["said"], 0, 0
        try:
            whole_number(said["generation"])
            for entry in said["scores"]:
                name = f"{where}, dimension {entry['dimensionId']!a}"
                weight, score = whole_number(entry["weight"]), whole_number(entry["score"])
                exact = millionths(entry["exact"])
                total = sum(millionths(term["contribution"]) for term in entry["terms"])
                self.must(exact == total, f"{name}: exact is not the sum of the contributions")
                self.must(score == half_up(exact, 10**6), f"{name}: score is not exact, rounded")
                threshold = entry["threshold"]
                passed = None if threshold is None else exact >= whole_number(threshold) * 10**6
                self.must(entry["passed"] is passed, f"{name}: passed does not follow from exact and threshold")
                weights, weighted = weights + weight, weighted + weight * score
            threshold = whole_number(said["overallThreshold"]) * 10**6
            overall = said["overallExact"], said["overallScore"], said["passed"]
            if weights == 0:
                self.must(overall == (None, None, None), f"{where}: an overall result, though the weights sum to 0")
            else:
                exact = half_up(weighted * 10**6, weights)
                self.must(millionths(overall[0]) == exact, f"{where}: overallExact is not the mean of the scores")
                rounded = whole_number(overall[1]) == half_up(exact, 10**6)
                self.must(rounded, f"{where}: overallScore is not overallExact, rounded")
                self.must(overall[2] is (exact >= threshold), f"{where}: passed does not follow from overallExact")
            print(f"checked      the arithmetic of {where}")
        except (KeyError, TypeError, ValueError) as error:
            self.must(False, f"{where}: its figures are not as they must be: {type(error).__name__} {str(error)!a}")

    def check_hand_ins(self) -> None:
        arrivals = {}
        for line in self.lines:
            if line["type"] in ("work.handed_in", "evaluation.work_handed_in"):
                arrivals[f"hand-in-{line['said'].get('handInId')}.base64"] = line
        readable = {name for name, line in arrivals.items() if isinstance(line["personal"], dict)}
        there = {name for name in self.files if re.fullmatch(r"hand-in-.*\.base64", name, re.DOTALL)}
        for name in sorted(there):
            if not self.must(name in readable, f"{name!a} belongs to no hand-in whose personal part is a text"):
                continue
            said, content = arrivals[name]["said"], b"".join(self.files[name].split(b"\n"))
            try:
                data = base64.b64decode(content, validate=True)
            except ValueError:
                data = b""
            written = base64.encodebytes(data)  # lines of 76 characters, each with a line feed
            self.must(self.files[name] == written, f"{name!a} is not base64 in lines of 76 characters")
            right = same(said.get("bytes"), Number(len(data))) and said.get("sha256") == sha256(data)
            self.must(right, f"{name!a} does not have the size and the hash that {arrivals[name]['where']} names")
        if there:
            print(f"checked      {len(there)} hand-ins against their events")
        for name in sorted(readable - there):
            print(f"not checked  what was handed in: {name!a} is not there")

    def check_evaluation(self, evaluation: dict, own: dict, published: Optional[dict]) -> None:
        line = self.results[-1]
        head, signature, personal = line["said"].get("head"), line["signature"] or {}, line["personal"]
        head = head if isinstance(head, dict) else {}
        # A list, not an object: a plain part that holds a "status" of its own must not take the place of the true one.
        expected = [("status", RESULTS[line["type"]]), ("recordedAt", line["recordedAt"])]
        expected += [(name, value) for name, value in line["said"].items() if name != "head"]
        expected.append(("head", {
            "sequenceNumber": head.get("sequenceNumber"), "hash": head.get("hash"), "resultHash": line["hash"],
            "signature": signature.get("value"), "keyId": signature.get("keyId"),
        }))
        expected.append(("personal", parse(personal["text"]) if isinstance(personal, dict) else personal))
        names = [name for name, _ in expected] + ["publicKeys"]
        if self.must(list(evaluation) == names, "evaluation.json does not hold the members it must, in their order"):
            for name, value in expected:
                self.must(same(evaluation[name], value), f"evaluation.json: {name!a} is not what the last result says")
        signers = {result["signature"]["keyId"] for result in self.results if result["signature"]}
        self.must(set(own) == signers, "evaluation.json: publicKeys are not the keys that the results are signed with")
        for kid in own if published is not None else ():
            self.must(own[kid] == published.get(kid), f"evaluation.json: the key {kid} is not as it is published")
        print("checked      evaluation.json against the last result in the chain")


def main() -> int:
    parser = argparse.ArgumentParser(description="Says whether an exported bundle of evidence holds.")
    parser.add_argument("folder", metavar="FOLDER")
    parser.add_argument("--keys", metavar="FILE", help="the published keys, fetched by yourself")
    arguments = parser.parse_args()
    verifier = Verifier()
    try:
        verifier.verify(arguments.folder, arguments.keys)
    except Exception as error:  # what cannot be read to its end does not hold, and a traceback helps nobody
        verifier.must(False, f"it cannot be read to its end: {type(error).__name__} {str(error)!a}")
    print("The evidence holds." if verifier.holds else "The evidence does not hold.")
    return 0 if verifier.holds else 1


if __name__ == "__main__":
    sys.exit(main())
