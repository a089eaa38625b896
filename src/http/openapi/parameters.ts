import { Ordinal, type TSchema, Type, Uuid } from '../../core/json-schema.js';
import { ENCODED_TEXT, IDEMPOTENCY_KEY, IF_MATCH, MAX_SEARCH_TEXT } from '../meta.js';
import { type DescribedRoute, namesInPath } from './described-route.js';
import { queryParametersOf } from './operation.js';

/** A part of the OpenAPI document. `withReferences` replaces schemas with an `$id` in it. */
export type Part = Readonly<Record<string, unknown>>;

const id = (number: number): string => `0197a3b0-5e1c-7000-8000-${`${number}`.padStart(12, '0')}`;

/** The ids in the document's examples, one of each kind of record. */
export const EXAMPLE_IDS = {
  organisationId: id(1),
  roleId: id(2),
  candidateId: id(3),
  applicationId: id(4),
  trialSessionId: id(5),
  evaluationId: id(6),
  webhookId: id(7),
  deliveryId: id(8),
  shareLinkId: id(9),
  ticketId: id(10),
  contestId: id(11),
  memberId: id(12),
  handInId: id(13),
  fileSetId: id(14),
  apiKeyId: id(15),
  importId: id(16),
  savedViewId: id(17),
};

/** A member's e-mail address. */
export const EXAMPLE_MEMBER = 'grace@example.org';
/** When an application expires: far in the future, so that the examples stay valid. */
export const EXAMPLE_EXPIRY = '2099-01-31T18:00:00.000Z';

/** A path parameter. */
interface InPath {
  readonly description: string;
  readonly schema: TSchema;
  readonly example: string | number;
}

const record = (description: string, kind: keyof typeof EXAMPLE_IDS): InPath => ({
  description,
  schema: Uuid,
  example: EXAMPLE_IDS[kind],
});

/**
 * For an operation's `links`: an evaluation's id, by both its names in paths.
 * @param pointer to the id in the answer
 */
export const evaluationAt = (pointer: string) => ({ evaluationId: pointer, id: pointer });

/** Path parameters by name. */
const IN_PATH: Readonly<Record<string, InPath>> = {
  orgId: record('The organisation.', 'organisationId'),
  roleId: record('The role.', 'roleId'),
  ticketId: record('The ticket.', 'ticketId'),
  handInId: record('The hand-in.', 'handInId'),
  fileSetId: record('The file set.', 'fileSetId'),
  applicationId: record('The application.', 'applicationId'),
  mailId: {
    description: 'The mail, by its `id` in the list of the application’s mails.',
    schema: Type.String({ minLength: 1 }),
    example: `invitation.${id(12)}`,
  },
  trialSessionId: record('The trial session.', 'trialSessionId'),
  evaluationId: record('The evaluation.', 'evaluationId'),
  // Only in `GET …/evaluations/{id}`, where callers use this name.
  id: record('The evaluation.', 'evaluationId'),
  contestId: record('The contest.', 'contestId'),
  apiKeyId: record('The API key.', 'apiKeyId'),
  importId: record('The import.', 'importId'),
  savedViewId: record('The saved view.', 'savedViewId'),
  webhookId: record('The webhook.', 'webhookId'),
  deliveryId: record('The delivery.', 'deliveryId'),
  shareLinkId: record('The share link.', 'shareLinkId'),
  memberId: {
    description:
      'The member, by its id. The subject works too and, until that is known, the URL-encoded e-mail address; but proxies may log paths.',
    schema: Type.String({ minLength: 1 }),
    example: EXAMPLE_IDS.memberId,
  },
  turn: { description: 'The turn of the interview.', schema: Ordinal, example: 1 },
  token: {
    description: 'The token of the share link.',
    schema: Type.String({ minLength: 1 }),
    example: 'Jf2w0nZ4bq7Yk1xU9sTg3hVc6mRd8pLe5aQoWiNyBzA',
  },
};

const header = (description: string, schema: TSchema = Type.String()) => ({ description, schema });

const IN_HEADER = {
  'Idempotency-Key': header(
    'Sent again with the same key and body, the request gives the first answer again and does nothing more.',
    Type.String({ pattern: IDEMPOTENCY_KEY.source }),
  ),
  'If-Match': header(
    'The ETag of the version that is to be changed; another one gives 412. `*` is any version.',
    Type.String({ pattern: IF_MATCH.source }),
  ),
  'If-None-Match': header('ETags that the caller has already, or `*`: the answer is 304 if one is current.'),
  'Consistency-Token': header(
    'As a command answered it: the read waits until it shows that command. Of several, with commas between them, it shows all.',
  ),
  'Search-Text': header(
    `Only those of the candidate with this whole e-mail address; a text that is no address finds those whose role’s name begins with it. Case does not matter. Addresses are stored encrypted, so no part of one can be searched for. In percent-encoded UTF-8, as \`encodeURIComponent\` writes it, of at most ${MAX_SEARCH_TEXT} characters. It is a header because URLs are logged.`,
    Type.String({ pattern: ENCODED_TEXT.source }),
  ),
  Range: header('One range of bytes, as in `bytes=0-65535`; more than one is ignored.'),
  'If-Range': header('The ETag that the range belongs to; another one gives the whole.'),
} as const;

/** Names of the headers that an operation's request may have. */
export const headersOf = ({
  method,
  options,
  access,
}: DescribedRoute): readonly (keyof typeof IN_HEADER)[] => [
  ...(method === 'post' && access !== 'public' && !options.eventless ? (['Idempotency-Key'] as const) : []),
  ...(options.conditional ? (['If-Match'] as const) : []),
  ...(options.searched ? (['Search-Text'] as const) : []),
  ...(isCached({ method, options }) ? (['If-None-Match'] as const) : []),
  ...(options.ranges ? (['Range', 'If-Range'] as const) : []),
  ...(method === 'get' && access !== 'public' ? (['Consistency-Token'] as const) : []),
];

/** Whether the operation answers 304 to a client that already has the current version. */
export const isCached = ({ method, options }: Pick<DescribedRoute, 'method' | 'options'>): boolean =>
  method === 'get' && options.success.headers?.includes('ETag') === true;

const reference = (name: string): Part => ({ $ref: `#/components/parameters/${name}` });

/** An operation's parameters. Those in the path and in headers are references, since they mean the same everywhere. */
export const parametersOf = (route: DescribedRoute): readonly Part[] => [
  ...namesInPath(route.path).map(reference),
  ...queryParametersOf(route.options).map(({ name, ...one }) => ({
    name,
    in: 'query',
    required: false,
    ...one,
  })),
  ...headersOf(route).map(reference),
];

/** The document's `components.parameters`, to which the operations refer. */
export const sharedParameters = (routes: readonly DescribedRoute[]): Readonly<Record<string, Part>> => {
  const all = routes.flatMap((route) => [
    ...namesInPath(route.path).map((name) => ({
      ...{ name, in: 'path', required: true },
      ...(Object.hasOwn(IN_PATH, name) ? IN_PATH[name] : { schema: Type.String() }),
    })),
    ...headersOf(route).map((name) => ({ name, in: 'header', required: false, ...IN_HEADER[name] })),
  ]);
  return Object.fromEntries(all.map((parameter) => [parameter.name, parameter]));
};
