import { describe, expect, it } from '@jest/globals';
import { describeFault, describeVersion, isTemporary, TimedOut } from './faults.js';

const grpc = (code: number, message: string, type?: string): Error =>
  Object.assign(new Error(message), { code }, type !== undefined && { type });

describe('what is said of a failed call', () => {
  const at = 'db:2113';

  it.each<[string, unknown, RegExp, boolean]>([
    ['no answer', new TimedOut(300), /did not answer within 300 ms/, false],
    ['the deadline', grpc(4, '4 DEADLINE_EXCEEDED: …', 'deadline-exceeded'), /did not answer in time/, false],
    [
      'the deadline, plain',
      grpc(4, '4 DEADLINE_EXCEEDED: Deadline exceeded'),
      /did not answer in time/,
      false,
    ],
    ['a commit that timed out', grpc(10, '10 ABORTED: …', 'timeout'), /could not commit in time/, false],
    [
      'refused',
      grpc(14, '14 UNAVAILABLE: Last error: connect ECONNREFUSED', 'unavailable'),
      /Nothing listens/,
      false,
    ],
    [
      'refused, plain',
      grpc(14, '14 UNAVAILABLE: connect ECONNREFUSED 127.0.0.1:1'),
      /Nothing listens/,
      false,
    ],
    [
      'an unknown host',
      grpc(14, '14 UNAVAILABLE: Name resolution failed for target dns:x:1'),
      /not known/,
      false,
    ],
    ['no node', new Error('Failed to discover after 10 attempts.'), /No node of the .* cluster/, false],
    [
      'no sign of life',
      grpc(14, '14 UNAVAILABLE: Keepalive timeout', 'unavailable'),
      /no longer answers/,
      false,
    ],
    ['a reset', grpc(14, '14 UNAVAILABLE: read ECONNRESET', 'unavailable'), /broke off/, false],
    [
      'any other absence',
      grpc(14, '14 UNAVAILABLE: Server Is Too Busy'),
      /cannot be reached \(.*Too Busy\)/,
      false,
    ],
    [
      'no TLS',
      grpc(14, '14 UNAVAILABLE: … SSL routines:…:wrong version number:…'),
      /does not speak TLS/,
      true,
    ],
    ['a stranger’s certificate', grpc(14, '14 …: self-signed certificate'), /is not trusted/, true],
    ['an unknown issuer', grpc(14, '14 …: unable to verify the first certificate'), /is not trusted/, true],
    ['an old certificate', grpc(14, '14 …: certificate has expired'), /is not valid today/, true],
    [
      'another’s certificate',
      grpc(
        14,
        "14 …: Hostname/IP does not match certificate's altnames: IP: 127.0.0.2 is not in the cert's list",
      ),
      /is for another host/,
      true,
    ],
    ['wrong credentials', grpc(16, '16 UNAUTHENTICATED: …', 'access-denied'), /credentials/, true],
    [
      'a refusal of which the client tells no reason',
      Object.assign(new Error('Access denied'), { type: 'access-denied' }),
      /check user and password in the URL, and that the user may read and write \$all/,
      true,
    ],
    ['no access', grpc(7, '7 PERMISSION_DENIED: Access Denied', 'access-denied'), /no access/, true],
    [
      'another leader',
      grpc(5, '5 NOT_FOUND: Leader info available', 'not-leader'),
      /has no leader that can be reached/,
      false,
    ],
    ['a deleted stream', grpc(9, '9 …: deleted', 'stream-deleted'), /was deleted for good/, true],
    ['a server without the call', grpc(12, '12 UNIMPLEMENTED: …'), /must be 23\.10 or newer/, true],
    ['anything else', new TypeError('odd\nat somewhere'), /failed \(odd\)\.$/, false],
    ['no error at all', 'odd', /failed \(odd\)\.$/, false],
  ])('names %s', (_, error, sentence, final) => {
    const fault = describeFault(error, at);
    expect(fault.sentence).toMatch(sentence);
    expect(fault.sentence).toContain(at);
    expect(fault.sentence).toMatch(/^[A-Z][^\n]*[.?]$/);
    expect(fault.final).toBe(final);
  });

  it('names the node of a cluster at which nothing listens', () => {
    const error = grpc(14, '14 UNAVAILABLE: connect ECONNREFUSED 10.0.0.2:2113', 'unavailable');
    const { sentence, final } = describeFault(error, 'a:2113,b:2113,c:2113');
    expect([final, sentence]).toEqual([
      false,
      'Of the EventStoreDB nodes at a:2113,b:2113,c:2113, nothing listens at 10.0.0.2:2113: is it running there?',
    ]);
  });

  it('is worth another try after an election, and if it is waited for after any absence that passes', () => {
    const absent = grpc(14, '14 UNAVAILABLE: connect ECONNREFUSED', 'unavailable');
    const untrusted = grpc(14, '14 UNAVAILABLE: self-signed certificate', 'unavailable');
    const deposed = grpc(5, '5 NOT_FOUND: Leader info available', 'not-leader');
    const denied = grpc(7, '7 PERMISSION_DENIED', 'access-denied');
    const all = [deposed, absent, new Error('Failed to discover after 10 attempts.'), untrusted, denied];
    expect(all.map((error) => isTemporary(error, false))).toEqual([true, false, false, false, false]);
    expect(all.map((error) => isTemporary(error, true))).toEqual([true, true, true, false, false]);
  });

  it('tells a server that is too old by its version, where it says one', () => {
    for (const old of ['5.0.11.0', '22.10.5.0', '23.6.0.0']) {
      expect(describeVersion(old, at)).toMatchObject({ final: true, sentence: expect.stringContaining(old) });
    }
    for (const fine of ['23.10.0.0', '23.10.2', '24.2.0.0', '25.1.3', '0.0.0.0', 'unknown', '']) {
      expect(describeVersion(fine, at)).toBeNull();
    }
  });
});
