/** The parts of the OpenAPI document that the checks with other tools read. */
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, Response | Reference>>;
  readonly security?: readonly object[];
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly example?: unknown;
  readonly schema: Readonly<Record<string, unknown>>;
}

interface Response {
  readonly content?: Content;
  readonly links?: Links;
}

/** Operations that follow an answer, with the runtime expressions of their parameters. */
export type Links = Readonly<
  Record<string, { readonly operationId: string; readonly parameters: Readonly<Record<string, string>> }>
>;

/** By media type. */
export type Content = Readonly<Record<string, Media>>;

interface Media {
  readonly schema?: object;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

interface Reference {
  readonly $ref: string;
}

/** An operation, its references resolved. */
export interface Described {
  readonly id: string;
  /** In upper case. */
  readonly method: string;
  /** For example `/organisations/{orgId}/roles`. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** By media type; `null`: no body. */
  readonly body: Content | null;
  /** The first answer that is no error. */
  readonly success: { readonly status: number; readonly content: Content; readonly links: Links };
  /** It needs no token. */
  readonly isPublic: boolean;
}

const METHODS = ['get', 'put', 'post', 'patch', 'delete'];

const isReference = (part: object): part is Reference => '$ref' in part;

const follow = <T extends object>(document: Document, part: T | Reference): T => {
  if (!isReference(part)) return part;
  const [, kind = '', name = ''] = /^#\/components\/(\w+)\/([\w-]+)$/.exec(part.$ref) ?? [];
  const found = document.components[kind]?.[name];
  if (found === undefined) throw new Error(`${part.$ref} leads nowhere.`);
  return found as T;
};

/** Every operation of the document. */
export const operationsOf = (document: Document): readonly Described[] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      if (operation === undefined) return [];
      const { operationId: id, parameters = [], requestBody, responses, security } = operation;
      const [status = '', success = {}] = Object.entries(responses).find(([key]) => key < '300') ?? [];
      const { content = {}, links = {} } = follow<Response>(document, success);
      return [
        {
          id,
          method: method.toUpperCase(),
          path,
          parameters: parameters.map((one) => follow(document, one)),
          body: requestBody?.content ?? null,
          success: { status: Number(status), content, links },
          isPublic: security?.length === 0,
        },
      ];
    }),
  );

/** Every example that a media type gives. */
export const examplesOf = ({ example, examples = {} }: Media): readonly unknown[] => [
  ...(example === undefined ? [] : [example]),
  ...Object.values(examples).map(({ value }) => value),
];
