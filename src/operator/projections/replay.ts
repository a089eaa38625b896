import type { Command } from 'commander';
import { v7 as uuidV7 } from 'uuid';
import { withEngine } from '../engine.js';
import { carryOut } from '../program.js';
import { operate } from './operate.js';
import { viewNamed } from './views.js';

interface Options {
  readonly document: readonly string[];
  readonly wait: boolean;
  readonly json?: true;
}

const HELP = `
Each document is folded from its own events, up to where it stands, and written over in its place: the repair of a view
that serves. Nothing else of the view is touched. For documents that are parked see "dead-letters retry"; for all of a
view, "rebuild".

Examples:
  $ assay projections replay applications --document 0197f0c2-3a10-7c3e-9a53-1d0c6c1f2b7a
  $ assay projections replay roles --document ID1 ID2 ID3 --json`;

export const replayCommand = (projections: Command): void => {
  const command = projections
    .command('replay')
    .description('Fold single documents of a view afresh, in place.')
    .argument('<view>', 'its name')
    .requiredOption('--document <ids...>', 'ids of the documents')
    .option('--no-wait', 'ask for it and do not watch')
    .option('--json', 'print one JSON object and nothing else')
    .addHelpText('after', HELP)
    .action((name: string, { document, wait, json }: Options) => {
      const { name: view } = viewNamed(command, name);
      const documents = [...new Set(document)];
      return carryOut(() =>
        withEngine((engine) =>
          operate(
            engine,
            { kind: 'refold', id: uuidV7(), view, documents, parkedOnly: false },
            { json: json === true, wait },
          ),
        ),
      );
    });
};
