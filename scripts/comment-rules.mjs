/**
 * Rules of ESLint for what a reader needs of a comment.
 *
 * - `plain`: no word that makes a reader ask who acts. Machinery is not a person, and a mechanism has a name.
 * - `absence`: whatever is exported and may be missing has a comment that says when it is, or what holds then.
 */
const INSTEAD = [
  [/nobody|whoever/, 'the process, the client or the person'],
  [/(?:goes?|going|went|gone) on/, '"continues", or the next step'],
  [/anew|afresh/, '"again", or "a new …"'],
  [/away/, '"unreachable", "disconnected", "removed"'],
  [/stands?|stood|lies/, '"is", "means", "is stored in"'],
  [/tells?|told/, '"shows", "reports", "is notified", "distinguishes"'],
  [/(?:gives?|given|giving|gave) up/, '"abandons", "releases", "ends after the time-out"'],
  [/owes?|owed/, 'what has to be done'],
];
/** The words, each with what to say instead. */
export const WORDS = INSTEAD.map(([words, instead]) => [
  new RegExp(`\\b(?:${words.source})\\b`, 'gi'),
  instead,
]);

const plain = {
  meta: { type: 'suggestion', schema: [] },
  create: ({ sourceCode, report }) => ({
    Program() {
      for (const comment of sourceCode.getAllComments())
        for (const [words, instead] of WORDS)
          for (const { 0: word, index } of comment.value.matchAll(words)) {
            // The value lacks the two signs that open the comment.
            const start = comment.range[0] + 2 + index;
            report({
              loc: {
                start: sourceCode.getLocFromIndex(start),
                end: sourceCode.getLocFromIndex(start + word.length),
              },
              message: `Instead of "${word}" say ${instead}.`,
            });
          }
    },
  }),
};

/** With one of these a sentence names a case, or says what holds without a value. */
const CASE =
  /\b(?:null|undefined|none|nothing|no|not|never|without|missing|absent|left out|empty|else|otherwise|unless|until|only|alone|if|when|while|once|where|by default|default|optional|unknown|former)\b/i;
const PROMISES = new Set(['Promise', 'MaybePromise']);

const isNone = ({ type }) => type === 'TSNullKeyword' || type === 'TSUndefinedKeyword';
const mayBeMissing = (type) =>
  type !== undefined &&
  ((type.type === 'TSUnionType' && type.types.some((part) => isNone(part) || mayBeMissing(part))) ||
    (type.type === 'TSTypeReference' &&
      PROMISES.has(type.typeName.name) &&
      (type.typeArguments?.params ?? []).some((part) => isNone(part) || mayBeMissing(part))));

/** An absent flag is false: no sentence is needed. */
const isFlag = (type) =>
  type?.type === 'TSBooleanKeyword' || (type?.type === 'TSLiteralType' && type.literal.value === true);

const absence = {
  meta: { type: 'suggestion', schema: [] },
  create: ({ sourceCode, report }) => {
    const commentOf = (node) => {
      const last = sourceCode.getCommentsBefore(node).at(-1);
      return last?.type === 'Block' && last.value.startsWith('*') ? last.value : '';
    };
    const demand = (node, name, comments) => {
      if (!CASE.test(comments))
        report({ node, message: `A comment says when "${name}" is missing, or what holds then.` });
    };
    const nameOf = (key) => sourceCode.getText(key);

    const checkFunction = (node, name, { returnType, params }, comments) => {
      if (mayBeMissing(returnType?.typeAnnotation)) demand(node, name, comments);
      for (const param of params)
        if (param.optional && !isFlag(param.typeAnnotation?.typeAnnotation))
          demand(param, param.name, comments);
    };
    const checkMembers = (members, outer) => {
      for (const member of members) {
        if (member.key === undefined) continue;
        const name = nameOf(member.key);
        const comments = commentOf(member) + (outer.includes(`\`${name}\``) ? outer : '');
        if (member.type === 'TSMethodSignature') checkFunction(member, name, member, comments);
        if (member.type !== 'TSPropertySignature') continue;
        const type = member.typeAnnotation?.typeAnnotation;
        if (mayBeMissing(type) || (member.optional && !isFlag(type))) demand(member, name, comments);
      }
    };
    return {
      ExportNamedDeclaration(node) {
        const { declaration } = node;
        const comments = commentOf(node);
        if (declaration?.type === 'TSInterfaceDeclaration') checkMembers(declaration.body.body, comments);
        if (
          declaration?.type === 'TSTypeAliasDeclaration' &&
          declaration.typeAnnotation.type === 'TSTypeLiteral'
        )
          checkMembers(declaration.typeAnnotation.members, comments);
        if (declaration?.type === 'FunctionDeclaration')
          checkFunction(declaration, declaration.id.name, declaration, comments);
        if (declaration?.type === 'VariableDeclaration')
          for (const { id, init } of declaration.declarations)
            if (init?.type === 'ArrowFunctionExpression') checkFunction(id, id.name, init, comments);
        if (declaration?.type === 'ClassDeclaration') {
          // What a port promises is said at the port.
          if (declaration.implements.length > 0 || declaration.superClass !== null) return;
          for (const member of declaration.body.body)
            if (member.type === 'MethodDefinition' && member.key.type !== 'PrivateIdentifier')
              if (member.accessibility !== 'private' && member.kind !== 'constructor')
                checkFunction(member.key, nameOf(member.key), member.value, commentOf(member));
        }
      },
    };
  },
};

export const commentRules = { plain, absence };
