import { createHash, randomUUID } from 'node:crypto';

type Reply = readonly [status: number, body?: unknown];

interface Upload {
  readonly id: string;
  readonly sha256: string;
  readonly name: string;
  content: Buffer;
  isComplete: boolean;
}

/** Passed and all tests, and the scores without an interview, computed by hand from docs/evaluations.md. */
const FIGURES = {
  right: { visible: [1, 0], hidden: [4, 0], correctness: 100, process: 50, overall: 85 },
  half: { visible: [1, 0], hidden: [2, 2], correctness: 60, process: 50, overall: 57 },
  hostile: { visible: [0, 1], hidden: [0, 4], correctness: 0, process: 30, overall: 9 },
  nothing: { visible: [0, 1], hidden: [0, 4], correctness: 0, process: 0, overall: 0 },
} as const;
type Figures = (typeof FIGURES)[keyof typeof FIGURES];

/** The hand-ins and file sets of one ticket, and the check results of the last hand-in. */
export class ModelWork {
  private readonly uploads: Upload[] = [];

  /** @param path the part of the path after `hand-ins` or `file-sets` */
  answer(path: string, body: Record<string, unknown>): Reply {
    const [, id, what] = path.split('/');
    if (id === undefined) return this.announce(body as unknown as Upload);
    const upload = this.uploads.find((one) => one.id === id);
    if (upload === undefined) return refused(404, 'not_found');
    if (what === 'complete') return this.complete(upload);
    if (body['offset'] === upload.content.length)
      upload.content = Buffer.concat([upload.content, Buffer.from(String(body['data']), 'base64')]);
    return [200, { received: upload.content.length }];
  }

  /** The events that are added to the evidence. */
  events(isFirstChecked: boolean): object[] {
    const handIns = this.handIns();
    const checked = isFirstChecked ? handIns[0] : handIns.at(-1);
    const payloads = handIns.map(({ id }) => ({ handInId: id }));
    const tests = ([passed, failed]: readonly [number, number]) => ({ passed, failed, errors: 0 });
    const { visible, hidden } = this.figures();
    return [
      ...payloads.map((payload) => ({ eventType: 'work.handed_in', source: 'service', payload })),
      ...(checked === undefined
        ? []
        : [
            {
              ...{ eventType: 'work.checked', source: 'checker' },
              payload: {
                ...{ handInId: checked.id, scope: 'all', reason: null },
                ...{ visible: tests(visible), hidden: tests(hidden) },
              },
            },
          ]),
    ];
  }

  scores(isBelieved: boolean): { record: object; explanation: object } {
    const { process, ...figures } = this.figures();
    const correctness = isBelieved ? 100 : figures.correctness;
    const overall = isBelieved ? 70 + process * 0.3 : figures.overall;
    const dimensions = { correctness, process };
    return {
      record: {
        overallScore: Math.round(overall),
        passed: overall >= 55,
        scores: Object.entries(dimensions).map(([category, score]) => ({
          ...{ dimensionId: category, dimensionCategory: category, score },
          passed: category === 'process' ? null : score >= 60,
        })),
      },
      explanation: {
        overall: { exact: overall },
        dimensions: Object.entries(dimensions).map(([dimensionId, exact]) => ({
          ...{ dimensionId, exact, terms: [] },
        })),
      },
    };
  }

  private handIns(): readonly Upload[] {
    return this.uploads.filter(({ isComplete }) => isComplete);
  }

  private figures(): Figures {
    const [first, second] = this.handIns();
    if (first === undefined) return FIGURES.nothing;
    if (second !== undefined) return FIGURES.right;
    return first.content.includes('spawn') ? FIGURES.hostile : FIGURES.half;
  }

  private announce({ name, sha256 }: Upload): Reply {
    const known = this.uploads.find((one) => one.sha256 === sha256);
    const upload = known ?? {
      ...{ id: randomUUID(), name, sha256, content: Buffer.alloc(0), isComplete: false },
    };
    if (known === undefined) this.uploads.push(upload);
    return [201, { id: upload.id }];
  }

  private complete(upload: Upload): Reply {
    if (createHash('sha256').update(upload.content).digest('hex') !== upload.sha256)
      return refused(409, 'hand_in_incomplete');
    if (upload.content.includes('../../')) {
      upload.content = Buffer.alloc(0);
      return refused(400, 'work_refused');
    }
    upload.isComplete = true;
    return [200, { id: upload.id }];
  }
}

const refused = (status: number, code: string): Reply => [status, { error: code, code, requestId: 'r' }];
