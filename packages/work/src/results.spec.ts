import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readJunit, TapReader } from './results.js';

const tap = (...parts: readonly string[]) => {
  const reader = new TapReader();
  for (const part of parts) reader.add(part);
  return reader.results();
};

describe('TAP', () => {
  it('is counted however it comes in parts, without what is skipped or to be done', () => {
    const text =
      'TAP version 13\nok 1 - a\nnot ok 2 - b\n  ---\n  ok: no\n  ...\nok 3 # SKIP\nnot ok 4 # TODO\n1..4\n';
    const whole = { passed: 1, failed: 1 };
    expect(tap(text)).toEqual(whole);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: text.length })), (cuts) => {
        const places = [0, ...cuts.toSorted((a, b) => a - b), text.length];
        expect(tap(...places.slice(1).map((to, n) => text.slice(places[n], to)))).toEqual(whole);
      }),
    );
  });

  it('counts the innermost of nested tests', () => {
    const text = `TAP version 13
# Subtest: file
    # Subtest: one
        ok 1 - a
        not ok 2 - b
        1..2
    not ok 1 - one
    ok 2 - alone
    1..2
not ok 1 - file
ok 2 - other
1..2
`;
    expect(tap(text)).toEqual({ passed: 3, failed: 1 });
  });

  it('counts the innermost of nested tests, however deep and far they are indented', () => {
    type Nested = boolean | readonly Nested[];
    const { nested } = fc.letrec<{ nested: Nested }>((tie) => ({
      nested: fc.oneof({ depthSize: 'small' }, fc.boolean(), fc.array(tie('nested'), { minLength: 1 })),
    }));
    const leaves = (test: Nested): readonly boolean[] =>
      typeof test === 'boolean' ? [test] : test.flatMap(leaves);
    const linesOf = (test: Nested, blanks: number, width: number): readonly string[] => {
      const within =
        typeof test === 'boolean' ? [] : test.flatMap((one) => linesOf(one, blanks + width, width));
      return [...within, `${' '.repeat(blanks)}${leaves(test).every(Boolean) ? '' : 'not '}ok`];
    };
    fc.assert(
      fc.property(fc.array(nested), fc.integer({ min: 1, max: 40 }), (tests, width) => {
        const lines = tests.flatMap((test) => linesOf(test, 0, width));
        const all = tests.flatMap(leaves);
        const passed = all.filter(Boolean).length;
        const text = ['TAP version 14', ...lines, `1..${tests.length}`].join('\n');
        expect(tap(text)).toEqual({ passed, failed: all.length - passed });
      }),
    );
  });

  it('has failed as far as its plan was not kept', () => {
    expect(tap('1..3\nok 1\n')).toEqual({ passed: 1, failed: 2 });
    expect(tap('TAP version 14\nok 1\nBail out! No database\n')).toEqual({ passed: 1, failed: 1 });
    expect(tap('1..9999999\n')).toEqual({ passed: 0, failed: 1_000_000 });
  });

  it('is not seen in other output', () => {
    for (const text of ['', 'ok\n', 'ok, all is well\nnot ok at all\n', 'x'.repeat(100_000), '\u0000\n'])
      expect(tap(text)).toBeNull();
  });

  it('takes no memory for lines without an end', () => {
    const reader = new TapReader();
    for (let parts = 0; parts < 2_000; parts++) reader.add('x'.repeat(65_536));
    expect(JSON.stringify(reader).length).toBeLessThan(10_000);
    reader.add('\nTAP version 13\nok 1\n');
    expect(reader.results()).toEqual({ passed: 1, failed: 0 });
  });
});

describe('JUnit XML', () => {
  it('is counted by its test cases', () => {
    const xml = `<?xml version="1.0"?><!-- <testcase/> -->
<testsuites tests="99"><testsuite name="a &gt; b">
<testcase name="one"/><testcase name="two > three"><failure message="<testcase/>">x</failure></testcase>
<testcase name='four'><error/></testcase><testcase><skipped/></testcase>
<testcase><system-out><![CDATA[<testcase/></testsuite>]]></system-out></testcase>
</testsuite></testsuites>`;
    expect(readJunit(xml)).toEqual({ passed: 2, failed: 2 });
  });

  it('is nothing but that: other files have no results', () => {
    for (const text of [
      '',
      '{}',
      '<html><testcase/></html>',
      'testsuite',
      '<',
      '<testsuite',
      '<!--<testsuite>',
    ])
      expect(readJunit(text)).toBeNull();
  });

  it('expands no entity and is read in time, whatever it holds', () => {
    const laughs = `<!DOCTYPE x [${Array.from({ length: 20 }, (_, n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(10)}">`).join('')}]>
<testsuite><testcase name="&e20;"/></testsuite>`;
    expect(readJunit(laughs)).toEqual({ passed: 1, failed: 0 });
    const outside = '<!DOCTYPE x SYSTEM "file:///etc/passwd"><testsuite><testcase/></testsuite>';
    expect(readJunit(outside)).toEqual({ passed: 1, failed: 0 });
    const started = performance.now();
    for (const hostile of ['<', '<!--', '<a "', '<testcase', '<![CDATA[', "<a '>", '</', '<testsuite><'])
      readJunit(`<testsuite>${hostile.repeat(200_000)}`);
    expect(performance.now() - started).toBeLessThan(20_000);
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...Array.from('<>/!-"\' []CDATtestcase?')) }), (text) => {
        const results = readJunit(`<testsuite>${text}`);
        expect(results === null || results.passed + results.failed <= text.length).toBe(true);
      }),
    );
  });
});
