/** How many attempts may be under way at the same time. */
export interface LaneLimits {
  /** To all webhooks together. */
  readonly max: number;
  /** To one webhook, if it is prompt (see `Lanes`); else one attempt. */
  readonly maxEach: number;
}

/** The limits; tests lower them. */
export const LANE_LIMITS: LaneLimits = { max: 256, maxEach: 4 };

/** The attempts to one webhook. */
interface Lane {
  underWay: number;
  /** Whether its last attempt was prompt; `null`: no attempt has had a result. */
  prompt: boolean | null;
  /** The number of its last turn: webhooks take turns. */
  lastTurn: number;
}

/**
 * Distributes attempts among webhooks. A webhook is prompt if its last attempt delivered a notice in good time, and slow if
 * it did not; before the first result it is neither. Only a prompt one has several attempts at a time. All slow ones
 * together have at most half of the attempts, so that they do not delay others. The caller iterates over `inTurn`,
 * checks `free`, and calls `begin` and `end` around each attempt.
 */
export class Lanes {
  readonly #lanes = new Map<string, Lane>();
  #turns = 0;
  #underWay = 0;
  /** Attempts under way to slow webhooks. */
  #slow = 0;

  constructor(private readonly limits: LaneLimits = LANE_LIMITS) {}

  get underWay(): number {
    return this.#underWay;
  }

  /** How many further attempts to this webhook may begin. */
  free(webhookId: string): number {
    const { max, maxEach } = this.limits;
    const { underWay, prompt } = this.#lanes.get(webhookId) ?? { underWay: 0, prompt: null };
    const own = (prompt === true ? maxEach : 1) - underWay;
    const inAll = max - this.#underWay;
    const slow = prompt === false ? Math.floor(max / 2) - this.#slow : inAll;
    return Math.max(0, Math.min(own, inAll, slow));
  }

  /** Counts an attempt that begins. Call it only if `free` allows one: it does not check the limits. */
  begin(webhookId: string): void {
    const lane = this.#lanes.get(webhookId) ?? { underWay: 0, prompt: null, lastTurn: 0 };
    lane.lastTurn = ++this.#turns;
    this.#lanes.set(webhookId, lane);
    this.#move(lane, 1, lane.prompt);
  }

  /**
   * Counts an attempt that has ended.
   * @param prompt whether it delivered a notice in good time; `null`: it had no result, and the webhook counts as before
   */
  end(webhookId: string, prompt: boolean | null): void {
    const lane = this.#lanes.get(webhookId);
    if (lane) this.#move(lane, -1, prompt ?? lane.prompt);
  }

  /** Orders webhooks by their last turn, the earliest first. */
  inTurn<T extends { readonly id: string }>(webhooks: readonly T[]): readonly T[] {
    const turn = ({ id }: T): number => this.#lanes.get(id)?.lastTurn ?? 0;
    return [...webhooks].sort((a, b) => turn(a) - turn(b));
  }

  /** Removes all other webhooks, except those with attempts under way. */
  forgetAllBut(webhookIds: ReadonlySet<string>): void {
    for (const [id, { underWay }] of this.#lanes)
      if (underWay === 0 && !webhookIds.has(id)) this.#lanes.delete(id);
  }

  #move(lane: Lane, change: 1 | -1, prompt: boolean | null): void {
    this.#slow -= slowIn(lane);
    lane.underWay += change;
    lane.prompt = prompt;
    this.#underWay += change;
    this.#slow += slowIn(lane);
  }
}

const slowIn = ({ prompt, underWay }: Lane): number => (prompt === false ? underWay : 0);
