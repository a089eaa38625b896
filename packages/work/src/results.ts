/** What a run of tests came to. */
export interface TestResults {
  readonly passed: number;
  readonly failed: number;
}

/** Characters of a line of TAP that are read: the verdict comes first, and the test's name may be cut. */
const MAX_LINE = 4_096;
const MAX_COUNT = 1_000_000;

/**
 * Counts the tests of TAP 12 to 14: call `add` with each part of a program's output, then `results`. Of nested tests the
 * innermost count. A test marked `skip` or `todo` counts as neither passed nor failed. A test that the plan announces and
 * the output lacks has failed.
 */
export class TapReader {
  private line = '';
  private isTap = false;
  /** `Bail out!` was read: the program stopped before its end. */
  private bailed = false;
  /** Within the YAML block of a test. */
  private isDiagnostics = false;
  /** The number of tests that the plan announces at depth 0; `top` counts those that were read. */
  private planned: number | null = null;
  private top = 0;
  private readonly counts = { passed: 0, failed: 0 };
  /** Blanks before the last test: a test that follows a deeper one is its parent. */
  private lastDepth = 0;

  /** Takes the next part of the output. */
  add(text: string): void {
    let from = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', from)) {
      this.append(text, from, end);
      this.read(this.line.endsWith('\r') ? this.line.slice(0, -1) : this.line);
      this.line = '';
      from = end + 1;
    }
    this.append(text, from, text.length);
  }

  private append(text: string, from: number, to: number): void {
    const room = MAX_LINE - this.line.length;
    if (room > 0) this.line += text.slice(from, Math.min(to, from + room));
  }

  /** The counts, once all output was added; `null`: it was not TAP. */
  results(): TestResults | null {
    this.read(this.line);
    this.line = '';
    if (!this.isTap || (this.planned === null && this.top === 0)) return null;
    const missing = Math.max(0, (this.planned ?? 0) - this.top);
    const failed = this.counts.failed + missing + (this.bailed && missing === 0 ? 1 : 0);
    return { passed: this.counts.passed, failed: Math.min(failed, MAX_COUNT) };
  }

  private read(line: string): void {
    if (this.isDiagnostics) {
      this.isDiagnostics = !/^ +\.\.\.\s*$/.test(line);
      return;
    }
    if (/^ +---\s*$/.test(line)) {
      this.isDiagnostics = true;
      return;
    }
    if (/^TAP version 1[234]$/.test(line)) this.isTap = true;
    const test = /^( *)(not )?ok(?=\s|$)(.*)$/.exec(line);
    if (test) {
      this.test(test[1]?.length ?? 0, test[2] === undefined, test[3] ?? '');
      return;
    }
    const plan = /^1\.\.(\d{1,7})(?:\s|$)/.exec(line);
    if (plan && this.planned === null) {
      this.isTap = true;
      this.planned = Number(plan[1]);
    }
    if (line.startsWith('Bail out!')) this.bailed = true;
  }

  private test(depth: number, isPassed: boolean, rest: string): void {
    const isParent = depth < this.lastDepth;
    this.lastDepth = depth;
    if (depth === 0) this.top++;
    if (isParent || /#\s*(?:skip|todo)/i.test(rest)) return;
    if (isPassed) this.counts.passed++;
    else this.counts.failed++;
  }
}

/** Largest file of results that is read, in bytes. */
export const MAX_RESULTS_BYTES = 64 * 1_024 * 1_024;

/**
 * Counts the `testcase` elements of JUnit XML. A test with a `failure` or an `error` has failed; one with `skipped` counts
 * as neither. Entities and document types of XML are not interpreted.
 * @returns `null`: it is not JUnit XML
 */
export const readJunit = (xml: string): TestResults | null => {
  const counts = { passed: 0, failed: 0 };
  let isJunit = false;
  let verdict: 'passed' | 'failed' | 'skipped' | null = null;
  const close = (): void => {
    if (verdict === 'passed' || verdict === 'failed') counts[verdict]++;
    verdict = null;
  };
  for (const tag of tagsOf(xml)) {
    if (tag.name === 'testsuites' || tag.name === 'testsuite') isJunit = true;
    else if (tag.name === 'testcase') {
      close();
      if (!tag.isEnd) verdict = 'passed';
      if (tag.isEmpty) close();
    } else if (verdict !== null && !tag.isEnd) {
      if (tag.name === 'failure' || tag.name === 'error') verdict = 'failed';
      else if (tag.name === 'skipped' && verdict === 'passed') verdict = 'skipped';
    }
  }
  close();
  return isJunit ? counts : null;
};

interface Tag {
  /** Without a prefix. */
  readonly name: string;
  readonly isEnd: boolean;
  readonly isEmpty: boolean;
}

/** How sections begin in which no tags are looked for, and how they end. */
const OPAQUE = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
] as const;

/** The tags of a text, in one pass, up to the first that has no end. */
function* tagsOf(xml: string): Generator<Tag> {
  let at = xml.indexOf('<');
  while (at !== -1) {
    const opaque = OPAQUE.find(([start]) => xml.startsWith(start, at));
    let end: number;
    if (opaque) {
      const found = xml.indexOf(opaque[1], at + opaque[0].length);
      if (found === -1) return;
      end = found + opaque[1].length;
    } else {
      end = endOfTag(xml, at + 1);
      if (end === -1) return;
      const name = /^\/?(?:[\w.-]{1,100}:)?([\w.-]{1,100})/.exec(xml.slice(at + 1, at + 210))?.[1];
      if (name !== undefined && xml[at + 1] !== '!')
        yield { name, isEnd: xml[at + 1] === '/', isEmpty: xml[end - 2] === '/' };
    }
    at = xml.indexOf('<', end);
  }
}

/** The index after the `>` that ends a tag; a `>` in quotes does not end it. -1: the tag has no end. */
const endOfTag = (xml: string, from: number): number => {
  let quote = '';
  for (let at = from; at < xml.length; at++) {
    const character = xml[at] ?? '';
    if (quote !== '') {
      if (character === quote) quote = '';
    } else if (character === '"' || character === "'") quote = character;
    else if (character === '>') return at + 1;
  }
  return -1;
};
