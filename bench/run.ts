import { readdir } from 'node:fs/promises';

/** What a bench module exports. */
interface Bench {
  run(): Promise<void>;
}

const here = new URL('.', import.meta.url);

/** A bench is a module of this folder that exports `run`. */
async function load(name: string): Promise<Bench | null> {
  const loaded = (await import(new URL(`${name}.js`, here).href)) as Partial<Bench>;
  return typeof loaded.run === 'function' ? { run: loaded.run } : null;
}

const modules = (await readdir(here))
  .filter((file) => file.endsWith('.js') && !file.endsWith('.spec.js') && file !== 'run.js')
  .map((file) => file.slice(0, -'.js'.length))
  .sort();

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !modules.includes(name));
if (unknown.length > 0) {
  console.error(
    `There is no bench ${unknown.join(', ')}. Name any of: ${modules.join(', ')}; none runs them all.`,
  );
  process.exit(2);
}

for (const name of wanted.length > 0 ? wanted : modules) {
  const bench = await load(name);
  if (bench) await bench.run();
  else if (wanted.length > 0) {
    console.error(`${name} is no bench of its own.`);
    process.exitCode = 2;
  }
}
