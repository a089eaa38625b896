import { type Environment, type Value, type Variable, type VariableName, VARIABLES } from './variables.js';

/** The configuration cannot be used. The message has a line for each mistake, and never contains secrets. */
export class ConfigurationProblem extends Error {
  override readonly name = 'ConfigurationProblem';

  /** @param variable the variable of the first mistake */
  constructor(
    readonly variable: string,
    sentence: string,
  ) {
    super(sentence);
  }
}

/**
 * Reads variables, and gathers their mistakes: `assertRight` reports all of them. An empty variable counts as unset,
 * since container tools pass unset ones as empty.
 */
export class VariableReader {
  private readonly problems = new Map<string, ConfigurationProblem>();

  constructor(private readonly environment: Environment) {}

  /** Reads a variable. Returns its default if it is unset or wrong; a wrong value is noted as a problem. */
  get<Name extends VariableName>(name: Name): Value<Name> {
    const value = this.environment[name]?.trim();
    const { otherwise, read } = VARIABLES[name] as Variable<unknown>;
    if (!value) return otherwise as Value<Name>;
    return this.part(() => read(value, (sentence) => this.wrong(name, sentence)), otherwise) as Value<Name>;
  }

  /**
   * Reads a part of the configuration, and notes a `ConfigurationProblem` that `read` throws.
   * @param otherwise returned if the part is wrong: it is never used, since `assertRight` throws then
   */
  part<T>(read: () => T, otherwise: T): T {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof ConfigurationProblem)) throw error;
      // Only the first problem of a variable is noted, since others may follow from it.
      if (!this.problems.has(error.variable)) this.problems.set(error.variable, error);
      return otherwise;
    }
  }

  /** Notes a problem without ending the reading of the part. @param sentence as for `wrong` */
  note(name: VariableName, sentence: string): void {
    this.part(() => this.wrong(name, sentence), null);
  }

  /** Whether a variable is set. Empty counts as unset. */
  has(name: VariableName): boolean {
    return Boolean(this.environment[name]?.trim());
  }

  /** Throws, which ends the reading of a part. @param sentence without its subject, the variable’s name */
  wrong(name: VariableName, sentence: string): never {
    throw new ConfigurationProblem(name, `${name} ${sentence}`);
  }

  /** @throws {ConfigurationProblem} there are problems: names the first variable, and has a line for each */
  assertRight(): void {
    const [first] = this.problems.values();
    if (first === undefined) return;
    const lines = [...this.problems.values()].map(({ message }) => message);
    throw new ConfigurationProblem(first.variable, lines.join('\n'));
  }
}
