import { type Environment, type Value, type Variable, type VariableName, VARIABLES } from './variables.js';

/** Wrong variables, a line each for the operator. Secrets are never repeated in them. */
export class ConfigurationProblem extends Error {
  override readonly name = 'ConfigurationProblem';

  constructor(
    readonly variable: string,
    sentence: string,
  ) {
    super(sentence);
  }
}

/**
 * Reads variables, and gathers what is wrong with them: `assertRight` reports all of it at once. Empty counts as unset,
 * as container tools pass unset variables on as empty.
 */
export class VariableReader {
  private readonly problems = new Map<string, ConfigurationProblem>();

  constructor(private readonly environment: Environment) {}

  /** Its default if it is unset or wrong; a wrong value is also noted as a problem. */
  get<Name extends VariableName>(name: Name): Value<Name> {
    const value = this.environment[name]?.trim();
    const { otherwise, read } = VARIABLES[name] as Variable<unknown>;
    if (!value) return otherwise as Value<Name>;
    return this.part(() => read(value, (sentence) => this.wrong(name, sentence)), otherwise) as Value<Name>;
  }

  /**
   * Reads a part of the configuration, and notes the `ConfigurationProblem` that `read` throws.
   * @param otherwise returned in place of a part that is wrong: never used, as `assertRight` then throws
   */
  part<T>(read: () => T, otherwise: T): T {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof ConfigurationProblem)) throw error;
      // The first about a variable: another one may follow from it.
      if (!this.problems.has(error.variable)) this.problems.set(error.variable, error);
      return otherwise;
    }
  }

  /** Notes a problem without ending the reading of the part. @param sentence as for `wrong` */
  note(name: VariableName, sentence: string): void {
    this.part(() => this.wrong(name, sentence), null);
  }

  /** Whether it is set; empty counts as not. */
  has(name: VariableName): boolean {
    return Boolean(this.environment[name]?.trim());
  }

  /** Ends the reading of a part by throwing. @param sentence without its subject, the variable’s name */
  wrong(name: VariableName, sentence: string): never {
    throw new ConfigurationProblem(name, `${name} ${sentence}`);
  }

  /** @throws {ConfigurationProblem} of the first wrong variable, with a line for each */
  assertRight(): void {
    const [first] = this.problems.values();
    if (first === undefined) return;
    const lines = [...this.problems.values()].map(({ message }) => message);
    throw new ConfigurationProblem(first.variable, lines.join('\n'));
  }
}
