#!/usr/bin/env node
/*
 * Verifies a folder that "assay evidence export" wrote. Needs only Node's standard library:
 *
 *     node verify-evidence.mjs FOLDER [--keys FILE]
 *
 * FILE is the service's /.well-known/evidence-keys.json, fetched by you. Exit code 0: the evidence holds; 1: it does not;
 * 2: called wrongly, so nothing was checked.
 * docs/evidence.md of the project describes the files and the chain in full, enough to write another verifier.
 */
import { Buffer } from 'node:buffer';
import { createHash, createPublicKey, verify } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual, TextDecoder } from 'node:util';

const [folder, option, keysFile, ...rest] = process.argv.slice(2);
const calledWrongly = (why) => {
  console.error(`${why}Usage: node verify-evidence.mjs FOLDER [--keys FILE_OF_PUBLISHED_KEYS]`);
  process.exit(2);
};
if (!folder || rest.length > 0 || (option !== undefined && (option !== '--keys' || !keysFile)))
  calledWrongly('');
const FILES = ['SHA256SUMS', 'events.jsonl', 'evaluation.json', 'README'];
// A folder without any of the files is another folder, and no forgery.
if (!FILES.some((name) => existsSync(join(folder, name))))
  calledWrongly(`${folder} holds none of the files of an exported session. Nothing was checked.\n`);
if (keysFile && !existsSync(keysFile))
  calledWrongly(`There is no file ${keysFile} of published keys. Nothing was checked.\n`);

/** Prints a line. A forged folder must not make a terminal show another result: what it executes or hides is escaped. */
const say = (line) =>
  console.log(
    line.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, (sign) => `\\u{${sign.codePointAt(0).toString(16)}}`),
  );

const broken = [];
const doubts = [];
/** Runs one part of the check. It throws what is broken and returns what was checked. */
const check = (name, work) => {
  try {
    const checked = work();
    if (checked) say(`checked      ${checked}`);
  } catch (error) {
    broken.push(`${name}: ${error.message}`);
  }
};
const must = (condition, what) => {
  if (!condition) throw new Error(what);
};

const bytesOf = (name) => readFileSync(join(folder, name));
const textOf = (bytes) => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
const sha256 = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash('sha256'));
/** The fields in order, each as its length (4 bytes, big-endian) and its bytes. */
const framed = (fields) =>
  Buffer.concat(
    fields.flatMap((field) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(Buffer.byteLength(field));
      return [length, Buffer.from(field)];
    }),
  );

// 1. The files are unchanged.
check('SHA256SUMS', () => {
  const lines = textOf(bytesOf('SHA256SUMS')).split('\n').slice(0, -1);
  const sums = lines.map(
    (line) => /^([0-9a-f]{64}) {2}([\w.-]+)$/.exec(line) ?? must(false, `not a checksum: ${line}`),
  );
  const named = sums.map(([, , name]) => name);
  const there = readdirSync(folder).filter((name) => name !== 'SHA256SUMS');
  must(isDeepStrictEqual([...named].sort(), there.sort()), `it names ${named}, but the folder has ${there}`);
  for (const [, sum, name] of sums)
    must(sha256(bytesOf(name)).digest('hex') === sum, `${name} does not match its checksum`);
  return `${named.length} files against SHA256SUMS`;
});

// 2. Each line is in its only valid form, so that no part of it is ambiguous or unchecked.
const hex = (value) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
// A lone surrogate has no UTF-8: other languages could neither write nor hash it.
const isText = (value) => typeof value === 'string' && value.isWellFormed();
const isNumber = (value) => Number.isSafeInteger(value) && value > 0;
const nullOr = (is) => (value) => value === null || is(value);
const exactly = (members) => (value) =>
  typeof value === 'object' &&
  value !== null &&
  isDeepStrictEqual(Object.keys(value), Object.keys(members)) &&
  Object.entries(members).every(([name, is]) => is(value[name]));
const isEvent = exactly({
  of: (value) => value === 'session' || value === 'evaluation',
  number: isNumber,
  id: isText,
  type: isText,
  schemaVersion: isNumber,
  recordedAt: isText,
  actor: exactly({ type: isText, id: isText }),
  // No person is hashed as an empty text, so an empty text must not be a second form of it.
  person: nullOr((value) => isText(value) && value !== ''),
  plain: isText,
  commitment: nullOr(hex),
  personal: (value) =>
    value === null ||
    value === 'erased' ||
    value === 'unopened' ||
    exactly({ salt: hex, text: isText })(value),
  previousHash: hex,
  hash: hex,
  signature: nullOr(exactly({ keyId: isText, value: isText })),
});

// 3. The chain, from the session's first event to the evaluation's last, and the commitments of the personal parts.
const events = [];
check('events.jsonl', () => {
  const lines = textOf(bytesOf('events.jsonl')).split('\n');
  must(lines.pop() === '', 'its last line is cut off');
  for (const [index, line] of lines.entries()) {
    const event = JSON.parse(line);
    // A duplicate name, a blank or another form of a character is lost when the line is written again.
    must(
      isEvent(event) && JSON.stringify(event) === line,
      `line ${index + 1} is not written as the service writes it: docs/evidence.md describes its members, their order and form`,
    );
    events.push({ line: index + 1, ...event });
  }
});
const isResult = ({ type }) => type === 'evaluation.generated' || type === 'evaluation.failed';
const ofSession = events.filter(({ of }) => of === 'session');
const completed = ofSession.find(({ type }) => type === 'trial.completed');
const ends = ['trial.completed', 'trial.withdrawn', 'trial.expired'];
check('the chain', () => {
  must(events.length > 0, 'there are no events');
  let previousHash = '0'.repeat(64);
  const personalParts = { opened: 0, erased: 0, unopened: 0 };
  const sessionId = JSON.parse(events[0].plain).trialSessionId;
  for (const [index, event] of events.entries()) {
    const at = `line ${event.line} (${event.of} event ${event.number}, ${event.type}, ${event.id})`;
    const first = index < ofSession.length ? ['session', index] : ['evaluation', index - ofSession.length];
    must(event.of === first[0] && event.number === first[1] + 1, `${at} is in the wrong place`);
    // The evaluation continues from trial.completed. After that the session may have an erasure.
    if (index === ofSession.length) previousHash = completed?.hash;
    must(event.previousHash === previousHash, `${at} does not continue from the previous event`);
    const { type, schemaVersion, id, recordedAt, actor, person, commitment, plain, personal } = event;
    const content = [
      type,
      String(schemaVersion),
      id,
      recordedAt,
      actor.type,
      actor.id,
      person ?? '',
      commitment ?? '',
      plain,
    ];
    const hash = sha256(framed(['assay.evidence.v1', previousHash, ...content])).digest('hex');
    must(hash === event.hash, `${at} does not match its hash`);
    const said = JSON.parse(plain);
    must(JSON.stringify(said) === plain, `${at} has a plain part that can be read in two ways`);
    must(
      type.startsWith('evaluation.') === (event.of === 'evaluation'),
      `${at} is not allowed in the ${event.of}`,
    );
    must(said.trialSessionId === sessionId, `${at} belongs to another session`);
    if (event.of === 'session') {
      must(said.sequenceNumber === event.number, `${at} has another sequenceNumber in its plain part`);
      const former = events[index - 1]?.type;
      must(
        former !== 'trial.erased' && (type === 'trial.erased' || !ends.includes(former)),
        `${at} follows ${former}, which is the end`,
      );
    } else {
      must(
        events[index - 1].type !== 'evaluation.erased',
        `${at} follows evaluation.erased, which is the end`,
      );
      must(
        completed && said.evaluationId === JSON.parse(completed.plain).evaluationId,
        `${at} belongs to another evaluation`,
      );
    }
    must(
      (personal === null) === (commitment === null),
      `${at} has a personal part or a commitment, but not both`,
    );
    if (personal === 'erased' || personal === 'unopened') personalParts[personal]++;
    else if (personal !== null) {
      const own = sha256(Buffer.from(personal.salt, 'hex'), personal.text).digest('hex');
      must(own === commitment, `${at} has a personal part that does not match its commitment`);
      must(
        !isResult(event) || JSON.stringify(JSON.parse(personal.text)) === personal.text,
        `${at} has a personal part that can be read in two ways`,
      );
      personalParts.opened++;
    }
    previousHash = hash;
  }
  const { opened, erased, unopened } = personalParts;
  // One key opens all of them: an erasure removes every personal part at once and is an event of the session.
  must(
    erased === 0 || ofSession.at(-1)?.type === 'trial.erased',
    `${erased} personal parts are marked as erased, but the session has no erasure`,
  );
  must(
    [opened, erased, unopened].filter((count) => count > 0).length <= 1,
    `${opened} personal parts can be read, ${erased} are marked as erased and ${unopened} as unopened: all must be the same`,
  );
  if (erased > 0)
    doubts.push(
      `${erased} personal parts that can no longer be read (erased): the chain has their commitments`,
    );
  if (unopened > 0) doubts.push(`${unopened} personal parts for which the export had no key (unopened)`);
  return `${ofSession.length} events of the session and ${events.length - ofSession.length} of its evaluation, in one chain; ${opened} personal parts against their commitments`;
});

// 4. Each result has a signature over its own hash and the session's head.
const results = events.filter(isResult);
const keyId = ({ x }) => sha256(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x })).digest('base64url');
let evaluation = null;
check('evaluation.json', () => {
  if (!readdirSync(folder).includes('evaluation.json')) return;
  const text = textOf(bytesOf('evaluation.json'));
  evaluation = JSON.parse(text);
  must(text === `${JSON.stringify(evaluation, null, 2)}\n`, 'it is not written as the service writes it');
});
let keys = [];
check('the keys', () => {
  const set = keysFile ? JSON.parse(textOf(readFileSync(keysFile))).keys : (evaluation?.publicKeys ?? []);
  must(Array.isArray(set), `${keysFile ?? 'evaluation.json'} has no set of public keys`);
  keys = set;
  for (const key of keys)
    must(!key.kid || key.kid === keyId(key), `${key.kid} is not the id of the key that has it`);
});
for (const event of events.filter((one) => !isResult(one) && one.signature !== null))
  broken.push(`line ${event.line}: it has a signature, but only results may have one`);
const outcomes = results.map((event) => {
  const what = `the result in line ${event.line}`;
  const outcome = { event, what, said: {} };
  check(what, () => {
    outcome.said = JSON.parse(event.plain);
    const { head, generation } = outcome.said;
    must(isNumber(generation), 'it names no generation');
    const before = results[results.indexOf(event) - 1];
    must(
      !before || generation > JSON.parse(before.plain).generation,
      'it is not a later generation than the previous result',
    );
    must(
      head.sequenceNumber === completed?.number && head.hash === completed.hash,
      'its head is not the session’s trial.completed',
    );
    must(event.signature !== null, 'it is not signed');
    const key = keys.find((one) => keyId(one) === event.signature.keyId);
    must(
      key,
      `its key ${event.signature.keyId} is not among ${keysFile ? 'the published ones' : 'those of evaluation.json'}`,
    );
    const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key.x }, format: 'jwk' });
    const signed = framed(['assay.head.v1', String(head.sequenceNumber), head.hash, event.hash]);
    const { value } = event.signature;
    const good = verify(null, signed, publicKey, Buffer.from(value, 'base64url'));
    must(
      good && Buffer.from(value, 'base64url').toString('base64url') === value,
      'its signature is not valid',
    );
    return `the signature of generation ${generation}, made with the key ${event.signature.keyId}`;
  });
  return outcome;
});
if (results.length > 0 && !keysFile) {
  const ids = [...new Set(results.map(({ signature }) => signature?.keyId))].join(', ');
  doubts.push(
    `the owner of the key: compare ${ids} with the "kid" of the service's /.well-known/evidence-keys.json, or pass that file with --keys`,
  );
}
if (results.length === 0) doubts.push('signatures: there is no result, and only results are signed');

// 5. The arithmetic of each score, in whole millionths.
const MILLION = 1_000_000n;
const millionths = (number) => {
  const [, sign, whole, part = ''] =
    /^(-?)(\d+)(?:\.(\d{1,6}))?$/.exec(String(number)) ??
    must(false, `${number} is not a number with at most 6 decimal places`);
  return BigInt(sign + whole + part.padEnd(6, '0'));
};
const divideHalfUp = (a, b) => (2n * a + b - ((((2n * a + b) % (2n * b)) + 2n * b) % (2n * b))) / (2n * b);
const rounded = (exact) => Number(divideHalfUp(exact, MILLION));
const passes = (exact, threshold) => (threshold === null ? null : exact >= BigInt(threshold) * MILLION);
for (const { event, what, said } of outcomes.filter(({ event }) => event.type === 'evaluation.generated'))
  check(`the figures of ${what}`, () => {
    let [weights, sum] = [0n, 0n];
    for (const { dimensionId, weight, threshold, score, exact, passed, terms } of said.scores) {
      const total = terms.reduce((all, { contribution }) => all + millionths(contribution), 0n);
      must(total === millionths(exact), `the terms of dimension ${dimensionId} do not add up to ${exact}`);
      must(
        score === rounded(total),
        `the score of dimension ${dimensionId} is not ${exact}, rounded half up`,
      );
      must(
        passed === passes(total, threshold),
        `"passed" of dimension ${dimensionId} does not follow from its threshold`,
      );
      weights += BigInt(weight);
      sum += BigInt(weight) * BigInt(score);
    }
    const overall = weights > 0n ? divideHalfUp(sum * MILLION, weights) : null;
    const figures =
      overall === null
        ? [null, null, null]
        : [Number(overall) / 1e6, rounded(overall), passes(overall, said.overallThreshold)];
    const { overallExact, overallScore, passed } = said;
    must(
      isDeepStrictEqual([overallExact, overallScore, passed], figures),
      `the overall figures are not ${figures}`,
    );
    return `the arithmetic of generation ${said.generation}: scores ${said.scores.map(({ score }) => score).join(', ')}, overall ${overallScore}, recorded ${event.recordedAt}`;
  });

// 6. evaluation.json has the same content as the last result in the chain.
check('evaluation.json', () => {
  const last = outcomes.at(-1);
  must((last === undefined) === (evaluation === null), last ? 'it is missing' : 'the chain holds no result');
  if (!last) return null;
  const { publicKeys, ...shown } = evaluation;
  const { head, ...figures } = last.said;
  const { type, recordedAt, hash, signature, personal } = last.event;
  must(
    isDeepStrictEqual(shown, {
      status: type === 'evaluation.generated' ? 'ready' : 'failed',
      recordedAt,
      ...figures,
      head: {
        ...head,
        resultHash: hash,
        signature: signature?.value ?? null,
        keyId: signature?.keyId ?? null,
      },
      personal: personal !== null && typeof personal === 'object' ? JSON.parse(personal.text) : personal,
    }),
    'it differs from the last result in the chain',
  );
  const published = ({ x }) => ({
    kty: 'OKP',
    crv: 'Ed25519',
    x,
    kid: keyId({ x }),
    use: 'sig',
    alg: 'EdDSA',
  });
  must(
    isDeepStrictEqual(publicKeys, publicKeys.map(published)),
    'its keys are not in the form that the service publishes',
  );
  const used = [...new Set(results.map((event) => event.signature?.keyId))];
  must(
    isDeepStrictEqual(publicKeys.map(keyId).sort(), used.sort()),
    'its keys are not those of the signatures',
  );
  return 'evaluation.json against the last result in the chain';
});

// 7. What was handed in is what its event recorded.
check('what was handed in', () => {
  const arrivals = events.filter(({ type }) => /^(work\.|evaluation\.work_)handed_in$/.test(type));
  const recorded = new Map(
    arrivals.map(({ line, personal, plain }) => {
      const { handInId, bytes, sha256: hash } = JSON.parse(plain);
      return [`hand-in-${handInId}.base64`, { line, bytes, hash, readable: typeof personal === 'object' }];
    }),
  );
  const contents = readdirSync(folder).filter((name) => /^hand-in-.*\.base64$/s.test(name));
  for (const name of contents) {
    const { line, bytes, hash, readable } = recorded.get(name) ?? {};
    must(readable, `${name} belongs to no hand-in that can be read`);
    const text = textOf(bytesOf(name));
    const content = Buffer.from(text, 'base64');
    const lines = content.toString('base64').replace(/.{1,76}/g, '$&\n');
    must(text === lines, `${name} is not base64 in lines of 76 characters`);
    const same = content.length === bytes && sha256(content).digest('hex') === hash;
    must(same, `${name} is not what was handed in: line ${line} has another size or hash`);
  }
  for (const [name, { readable }] of recorded)
    if (readable && !contents.includes(name)) doubts.push(`what was handed in: ${name} is missing`);
  return contents.length > 0 && `${contents.length} hand-ins against their events`;
});

for (const doubt of doubts) say(`not checked  ${doubt}`);
for (const what of broken) say(`BROKEN       ${what}`);
say(broken.length === 0 ? 'The evidence holds.' : 'The evidence does not hold.');
process.exit(broken.length === 0 ? 0 : 1);
