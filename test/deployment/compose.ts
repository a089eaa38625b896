import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** A container's health check. */
export interface HealthCheck {
  readonly test: readonly string[];
  readonly interval?: string;
  readonly timeout?: string;
  readonly retries?: number;
  readonly start_period?: string;
  readonly start_interval?: string;
}

/** The long form of a mount; a string is the short one. */
export interface Bind {
  readonly type: string;
  readonly source: string;
  readonly target: string;
  readonly read_only?: boolean;
}

/** A service as the compose files here write it: lists and maps in their long forms, but for volumes. */
export interface Service {
  readonly image: string;
  readonly build?: string;
  readonly user?: string;
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly networks?: readonly string[];
  readonly volumes?: readonly (string | Bind)[];
  readonly tmpfs?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: HealthCheck;
  readonly restart?: string;
  readonly init?: boolean;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly stop_grace_period?: string;
  readonly deploy?: { readonly resources?: { readonly limits?: Readonly<Record<string, string>> } };
}

export interface ComposeFile {
  readonly name?: string;
  readonly services: Readonly<Record<string, Service>>;
  readonly networks?: Readonly<Record<string, unknown>>;
  readonly volumes?: Readonly<Record<string, unknown>>;
}

/** A `${NAME}` in a text: `defaults` after `:-`, `required` where `:?` says that it must be set. */
export interface Variable {
  readonly name: string;
  readonly default: string | null;
  readonly required: boolean;
}

const REFERENCE = /\$(?:(\$)|\{([A-Za-z_][A-Za-z0-9_]*)(?:(:-|:\?)([^}]*))?\}|)/g;

/** Every environment variable that a text uses. */
export const variablesOf = (text: string): readonly Variable[] =>
  [...text.matchAll(REFERENCE)]
    .filter(([, dollar]) => dollar === undefined)
    .map(([whole, , name, mark, rest]) => {
      if (name === undefined) throw new Error(`"${whole}" in a compose file is neither \${NAME} nor $$.`);
      return { name, default: mark === ':-' ? (rest ?? '') : null, required: mark === ':?' };
    });

/** Puts the environment's values in, as Compose does. @throws where a required one is missing */
const interpolate = (text: string, environment: Readonly<Record<string, string>>): string =>
  text.replaceAll(
    REFERENCE,
    (_, dollar: string | undefined, name: string, mark: string | undefined, rest: string) => {
      if (dollar !== undefined) return '$';
      const value = environment[name] ?? '';
      if (value !== '') return value;
      if (mark === ':?') throw new Error(`${name} is missing: ${rest}`);
      return mark === ':-' ? rest : '';
    },
  );

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const mapStrings = (value: unknown, change: (text: string) => string): unknown => {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((one) => mapStrings(one, change));
  if (!isMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, mapStrings(one, change)]));
};

/** A compose file as it is written, anchors and merges resolved. @throws where it is no YAML */
export const readCompose = (path: string): unknown =>
  parse(readFileSync(path, 'utf8'), { merge: true, strict: true, uniqueKeys: true });

/** Lists of the upper file that are appended to those of the lower file; every other list replaces it. */
const GROWING = ['volumes', 'ports', 'tmpfs', 'cap_drop', 'security_opt', 'networks'];

const merged = (below: unknown, above: unknown, key = ''): unknown => {
  if (isMap(below) && isMap(above)) {
    const keys = new Set([...Object.keys(below), ...Object.keys(above)]);
    return Object.fromEntries([...keys].map((one) => [one, merged(below[one], above[one], one)]));
  }
  if (Array.isArray(below) && Array.isArray(above) && GROWING.includes(key)) {
    return [...(below as unknown[]), ...(above as unknown[])];
  }
  return above ?? below;
};

/** Merges the files in their order and puts the environment's values in, as Compose does. */
export const composed = (
  paths: readonly string[],
  environment: Readonly<Record<string, string>>,
): ComposeFile => {
  const files = paths.map((path) => mapStrings(readCompose(path), (text) => interpolate(text, environment)));
  return files.reduce((below, above) => merged(below, above)) as ComposeFile;
};
