import js from '@eslint/js';
import importX from 'eslint-plugin-import-x';
import prettier from 'eslint-config-prettier';
import tseslint from 'typescript-eslint';

/** Imports from `from` are refused inside `target`. */
const forbid = (target, from, message, except) => ({ target, from, message, ...(except && { except }) });

const drivers = {
  lmdb: ['src/event-store/embedded', 'src/read-store/embedded', 'src/vault/embedded', 'src/embedded'],
};
const frameworks = [
  '@nestjs/*',
  'fastify',
  'lmdb',
  'mongodb',
  '@eventstore/*',
  'passport*',
  'node:*',
  'oidc-provider',
];

export default tseslint.config(
  { ignores: ['dist/', 'node_modules/', 'data/', 'coverage/'] },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [...tseslint.configs.strictTypeChecked],
    plugins: { 'import-x': importX },
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    settings: {
      'import-x/resolver-next': [
        importX.createNodeResolver({ extensionAlias: { '.js': ['.ts', '.js'] }, extensions: ['.ts', '.js'] }),
      ],
    },
    rules: {
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/only-throw-error': 'error',
      'import-x/no-cycle': 'error',
      'import-x/no-restricted-paths': [
        'error',
        {
          basePath: import.meta.dirname,
          zones: [
            forbid(
              'src/projection-engine',
              [
                'src/organisations',
                'src/roles',
                'src/candidates',
                'src/trials',
                'src/outcomes',
                'src/evaluations',
                'src/access',
                'src/app',
                'projections',
              ],
              'The engine knows no domain.',
            ),
            forbid(
              'src/event-store',
              ['src/read-store', 'src/projection-engine', 'src/app', 'src/access', 'projections'],
              'The event store stands below.',
            ),
            forbid(
              'src/read-store',
              ['src/projection-engine', 'src/app', 'src/access', 'projections'],
              'The read store stands below.',
            ),
            forbid(
              'src/vault',
              ['src/projection-engine', 'src/read-store', 'src/app', 'src/access', 'projections'],
              'The vault stands below.',
            ),
          ],
        },
      ],
      'no-restricted-imports': [
        'error',
        { paths: [{ name: 'lmdb', message: 'A driver is imported by its adapter alone.' }] },
      ],
    },
  },
  { files: drivers.lmdb.map((folder) => `${folder}/**/*.ts`), rules: { 'no-restricted-imports': 'off' } },
  { files: ['bench/**/*.ts'], rules: { 'no-restricted-imports': 'off' } },
  {
    files: ['src/**/decider.ts', 'src/**/events.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: [{ group: frameworks, message: 'Deciders and events are pure.' }] },
      ],
    },
  },
  {
    files: ['projections/**/*.ts'],
    ignores: ['**/*.spec.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex:
                '^(?!\\./|.*/events\\.js$|.*/projection-engine/view\\.js$|.*/event-store/event\\.js$|.*/read-store/port\\.js$)',
              message: 'A view imports events and engine types only.',
            },
          ],
        },
      ],
    },
  },
  {
    files: ['**/*.spec.ts', 'test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  {
    files: ['**/*.js', '**/*.mjs'],
    languageOptions: {
      globals: { process: 'readonly', console: 'readonly', URL: 'readonly', performance: 'readonly' },
    },
  },
  prettier,
);
