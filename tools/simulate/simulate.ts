import { randomBytes } from 'node:crypto';
import pMap from 'p-map';
import type { Progress } from '../../src/operator/cli/progress.js';
import { tableLines } from '../../src/operator/cli/table.js';
import { type Browser, launchBrowser } from './browser.js';
import { WORKS } from './exercise.js';
import { type Figures, Ledger, type Signal } from './ledger.js';
import { assertSameService, createOrganisation } from './organisation.js';
import { Issuer, Person } from './person.js';
import { type Plan, planRound } from './plan.js';
import {
  type Pace,
  playCandidate,
  playVisitor,
  type RoundContext,
  WITHOUT_PAUSES,
} from './play-candidate.js';
import { readBack, readSignal } from './read-back.js';
import { RetryingClient, Service, ServiceGone, Unexpected } from './service.js';
import { prepareStaff, ROLE, signIn, type Staff } from './staff.js';

export interface SimulateOptions {
  readonly candidates: number;
  readonly seed: number;
  /** Addresses of the service's processes; requests go to each in turn. */
  readonly urls: readonly [string, ...string[]];
  /** The development issuer's address. */
  readonly issuer: string;
  /** An organisation and an owner of it; `null`: one is made by the operator's command. */
  readonly organisation: { readonly id: string; readonly ownerEmail: string } | null;
  /** Whether candidates complete their trials by an interview over its socket. */
  readonly interviews?: boolean;
  /** How many further candidates use the candidate's page, each in a browser of their own. Default: none. */
  readonly web?: number;
  /** Default: `DEFAULT_PACE`. */
  readonly pace?: Pace;
}

/** Candidates who use the API at the same time. */
const MAX_CANDIDATES = 16;
const MAX_BROWSERS = 4;
/** At the start the service must answer soon: else no service runs at the address. */
const PROBE = { goneAfterMs: 1_600, attemptMs: 20_000 };
const DEFAULT_PACE: Pace = { expiresInMs: 3_000, pollMs: 500 };

/**
 * Plays hiring rounds over HTTP and compares the service's figures with its own count.
 * @returns a sentence for each figure or candidate that is not as expected
 * @throws {ServiceGone | Unexpected | NoOrganisation | NoBrowser} the round could not be played; the message is for the
 * user
 */
export async function simulate(
  options: SimulateOptions,
  write: (line: string) => void,
  progress: Progress,
): Promise<readonly string[]> {
  const browser = options.web ? await launchBrowser() : null;
  try {
    return await playAndCompare(options, browser, write, progress);
  } finally {
    await browser?.close();
  }
}

async function playAndCompare(
  options: SimulateOptions,
  browser: Browser | null,
  write: (line: string) => void,
  progress: Progress,
): Promise<readonly string[]> {
  const { pace = DEFAULT_PACE, web = 0 } = options;
  const service = new Service(options.urls);
  const issuer = new Issuer(new Service(options.issuer));
  await findService(new Service(options.urls, PROBE));
  const run = randomBytes(4).toString('hex');
  const began = Date.now();
  const { id: organisationId, ownerEmail } =
    options.organisation ?? (await newOrganisation(service, options.seed, run));
  const owner = new Person(service, issuer, ownerEmail);
  await signIn(owner, organisationId);
  const before = await readSignal(owner, organisationId);
  write(`Organisation ${organisationId}, owner ${ownerEmail}, seed ${options.seed}.`);

  const plan = planRound(options.candidates, options.seed, options.interviews, web);
  const ledger = new Ledger();
  const staff = await prepareStaff({
    service,
    issuer,
    organisationId,
    owner,
    roles: plan.roles,
    run,
    ledger,
  });
  const addressOf = (name: string): string => `${name}.${run}@candidates.example`;
  const playing = { works: WORKS, pace, time: WITHOUT_PAUSES };
  const round: RoundContext = { service, issuer, staff, ledger, addressOf, ...playing };
  const problems = [
    ...(await playRound(plan, round, progress)),
    ...(browser === null ? [] : await playPages(plan, round, browser, progress)),
  ];
  const { signal, comparison } = await readBack({
    staff,
    ledger,
    before,
    renamed: renamedRole(plan, staff),
    pollMs: pace.pollMs,
    progress,
  });
  write(signalTable(signal));
  const { sent, repeated } = service.counts;
  write(
    `${options.candidates} candidates, ${web === 0 ? '' : `${web} more in browsers, `}${ledger.trials().length} trials, ${interviewsHeld(ledger)}${sent} requests (${repeated} of them again ` +
      `after no answer or a limit), ${Math.round((Date.now() - began) / 1000)} s; ${comparison.compared} figures compared.`,
  );
  return [...problems, ...comparison.differences];
}

/** How many interviews were held and what was asked in them, as a part of a sentence; '': none was. */
const interviewsHeld = (ledger: Ledger): string => {
  const held = ledger.trials().flatMap(({ questions }) => (questions === null ? [] : [questions.length]));
  if (held.length === 0) return '';
  return `${held.length} interviews of ${held.reduce((sum, asked) => sum + asked, 0)} questions, `;
};

async function findService(service: Service): Promise<void> {
  try {
    await new RetryingClient(service).get('/health/live');
  } catch (error) {
    if (!(error instanceof ServiceGone || error instanceof Unexpected)) throw error;
    throw new ServiceGone(
      `No service answers at ${service.name} (${error.reason}): start one with "npm start" or name it by --url.`,
    );
  }
}

async function newOrganisation(
  service: Service,
  seed: number,
  run: string,
): Promise<{ id: string; ownerEmail: string }> {
  await assertSameService(service);
  const ownerEmail = `owner.${run}@staff.example`;
  return { id: await createOrganisation(`Simulation ${seed} (${run})`, ownerEmail), ownerEmail };
}

/** Plays the candidates who use the API; halfway a role is renamed. @returns a sentence for each candidate that failed */
async function playRound(plan: Plan, round: RoundContext, progress: Progress): Promise<readonly string[]> {
  const { candidates } = plan;
  const halfway = Math.ceil(candidates.length / 2);
  return playAll(candidates, { title: 'Candidates', noun: 'candidate', atOnce: MAX_CANDIDATES }, progress, {
    play: (candidate) => playCandidate(round, candidate),
    afterEach: async (done) => {
      if (done === halfway) await rename(plan, round);
    },
  });
}

/** Plays the candidates who use the page. @returns a sentence for each that failed */
async function playPages(
  { visitors }: Plan,
  round: RoundContext,
  browser: Browser,
  progress: Progress,
): Promise<readonly string[]> {
  return playAll(visitors, { title: 'Browsers', noun: 'browser', atOnce: MAX_BROWSERS }, progress, {
    play: (visitor) => playVisitor(round, visitor, browser),
  });
}

/** @throws what is not {Unexpected}: then the round cannot go on */
async function playAll<Player extends { readonly number: number }>(
  players: readonly Player[],
  { title, noun, atOnce }: { readonly title: string; readonly noun: string; readonly atOnce: number },
  progress: Progress,
  {
    play,
    afterEach,
  }: {
    readonly play: (player: Player) => Promise<void>;
    /** @param done how many have been played */
    readonly afterEach?: (done: number) => Promise<void>;
  },
): Promise<readonly string[]> {
  const problems: string[] = [];
  let done = 0;
  progress.begin(title, players.length);
  await pMap(
    players,
    async (player) => {
      try {
        await play(player);
      } catch (error) {
        if (!(error instanceof Unexpected)) throw error;
        problems.push(`${noun} ${player.number}: ${error.message}`);
      }
      done += 1;
      progress.update(done);
      await afterEach?.(done);
    },
    { concurrency: atOnce },
  );
  progress.end();
  return problems;
}

async function rename(plan: Plan, { staff, ledger }: RoundContext): Promise<void> {
  const { roleId, definition } = renamedRole(plan, staff);
  const params = { orgId: staff.organisationId, roleId };
  await staff.owner.command('patch', ROLE, 200, { params, body: definition });
  ledger.role(roleId, definition.name);
}

/** The role that `rename` renames, with its new name. */
function renamedRole(plan: Plan, staff: Staff): Parameters<typeof readBack>[0]['renamed'] {
  const { role, name } = plan.renamed;
  const definition = plan.roles[role];
  const roleId = staff.roleIds[role];
  if (definition === undefined || roleId === undefined) throw new RangeError(`There is no role ${role}.`);
  return { roleId, definition: { ...definition, name } };
}

const HEAD = ['Role', 'Completed', 'Outcomes', 'Awaiting', 'Passed', 'Failed', 'Hired', 'Declined'];

/** The signal as a table, totals last. */
export function signalTable({ roles, totals }: Signal): string {
  const rows = roles.map((row) => [row.roleName, ...cells(row)]);
  return tableLines(HEAD, [...rows, ['Total', ...cells(totals)]]).join('\n');
}

const cells = (row: Figures): number[] => [
  row.trialCompletedCount,
  row.outcomeRecordedCount,
  row.awaitingOutcomeCount,
  row.humanRound.passed,
  row.humanRound.failed,
  row.disposition.hired,
  row.disposition.declined,
];
