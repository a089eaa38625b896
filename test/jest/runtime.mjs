import asyncHooks from 'node:async_hooks';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { SourceTextModule, SyntheticModule } from 'node:vm';

const require = createRequire(import.meta.url);

/** What suites of this worker share: the product's modules by path, packages and Node's own by what they are imported as. */
const product = new Map();
const foreign = new Map();
/** Ends when all packages asked for so far are there. */
let foreignLoaded = Promise.resolve();
/** Ends when all that is being linked is linked. */
let linking = Promise.resolve();
/** By source, as Jest wants them for stacks. */
const sourceMaps = new Map();

/** Node's own streams and requests go on by these while a suite moves the time. */
const NODES_OWN = ['nextTick', 'queueMicrotask', 'setImmediate', 'clearImmediate'];

const STATIC_IMPORTS = {
  isInternalModule: false,
  supportsDynamicImport: true,
  supportsExportNamespaceFrom: true,
  supportsStaticESM: true,
  supportsTopLevelAwait: true,
};

const READABLE = { configurable: true, enumerable: true };

const moduleOf = (identifier, exported) => {
  const names = Object.keys(exported);
  const setAll = function () {
    for (const name of names) this.setExport(name, exported[name]);
  };
  return new SyntheticModule(names, setAll, { identifier });
};

/** TypeScript names its imports by the emitted file. */
const resolved = (specifier, from) => {
  const path = specifier.startsWith('file:') ? fileURLToPath(specifier) : join(dirname(from), specifier);
  const source = path.replace(/\.js$/, '.ts');
  return [source, `${source}x`].find((one) => existsSync(one)) ?? path;
};

/**
 * Loads suites in place of Jest's own runtime, which finds, compiles, links and evaluates every module anew for each
 * suite: that took longer than the tests. Here a suite and what it imports of `test/` are evaluated anew, and what is
 * tested is loaded once a worker. A suite that replaces a module, or asks for it (`jest.resetModules`), has all
 * modules anew from there on.
 */
export default class SharedModulesRuntime {
  #own = new Map();
  #replaced = new Map();
  #isAnew = false;
  /** Each that is left in use makes every promise of later suites dearer. */
  #storages = [];
  #globals;

  constructor(config, environment, _resolver, transformer) {
    this.environment = environment;
    this.transformer = transformer;
    this.tests = join(config.rootDir, 'test', sep);
  }

  setGlobalsForRuntime(globals) {
    const { fakeTimersModern: timers, moduleMocker: mocker } = this.environment;
    const jest = {
      fn: mocker.fn.bind(mocker),
      spyOn: mocker.spyOn.bind(mocker),
      restoreAllMocks: () => mocker.restoreAllMocks(),
      resetModules: () => {
        this.#own.clear();
        this.#isAnew = true;
      },
      unstable_mockModule: (specifier, make) => {
        this.#replaced.set(specifier, moduleOf(specifier, make()));
        this.#isAnew = true;
      },
      useFakeTimers: (options) => timers.useFakeTimers({ doNotFake: NODES_OWN, ...options }),
      useRealTimers: () => timers.useRealTimers(),
      advanceTimersByTime: (ms) => timers.advanceTimersByTime(ms),
      advanceTimersByTimeAsync: (ms) => timers.advanceTimersByTimeAsync(ms),
      getTimerCount: () => timers.getTimerCount(),
    };
    this.#globals = moduleOf('@jest/globals', { ...globals, jest });
  }

  async unstable_importModule(path) {
    return this.#evaluated(await this.#load(path));
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  requireModule(path) {
    return require(path);
  }

  /** Jest's own, each suite's anew: it keeps what a suite declares, and would go on reporting of former ones. */
  requireInternalModule(path) {
    delete require.cache[path];
    delete globalThis[Symbol.for('EVENT_HANDLERS')];
    const storages = this.#storages;
    const { AsyncLocalStorage } = asyncHooks;
    class Remembered extends AsyncLocalStorage {
      constructor(...options) {
        super(...options);
        storages.push(this);
      }
    }
    // A getter on newer versions of Node.
    const property = Object.getOwnPropertyDescriptor(asyncHooks, 'AsyncLocalStorage');
    Object.defineProperty(asyncHooks, 'AsyncLocalStorage', { ...READABLE, value: Remembered });
    try {
      return require(path);
    } finally {
      Object.defineProperty(asyncHooks, 'AsyncLocalStorage', property);
    }
  }

  getSourceMaps() {
    return sourceMaps;
  }

  getAllCoverageInfoCopy() {
    return undefined;
  }

  enterTestCode() {}

  leaveTestCode() {}

  teardown() {
    this.environment.moduleMocker.restoreAllMocks();
    for (const storage of this.#storages) storage.disable();
  }

  #imported(specifier, from) {
    if (specifier === '@jest/globals') return this.#globals;
    const replaced = this.#replaced.get(specifier);
    if (replaced) return replaced;
    return /^(?:\.|file:)/.test(specifier) ? this.#load(resolved(specifier, from)) : this.#foreign(specifier);
  }

  #load(path) {
    if (!/\.tsx?$/.test(path)) return this.#foreign(pathToFileURL(path).href);
    const isSuites = path.startsWith(this.tests) || /\.(?:spec|whole)\.ts$/.test(path);
    const modules = isSuites || this.#isAnew ? this.#own : product;
    const module = modules.get(path) ?? this.#compiled(path);
    modules.set(path, module);
    return module;
  }

  #foreign(specifier) {
    const known = foreign.get(specifier);
    if (known) return known;
    // One after the other: Node refuses `require` of a module that an import has begun to load (jwks-rsa, of jose).
    const module = foreignLoaded
      .then(() => import(specifier))
      .then((exported) => moduleOf(specifier, exported));
    foreignLoaded = module.catch(() => undefined);
    foreign.set(specifier, module);
    return module;
  }

  #compiled(path) {
    const { code, sourceMapPath } = this.transformer.transform(path, STATIC_IMPORTS);
    sourceMaps.set(path, sourceMapPath);
    return new SourceTextModule(code, {
      identifier: path,
      initializeImportMeta: (meta) => Object.assign(meta, { url: pathToFileURL(path).href }),
      importModuleDynamically: async (specifier) => this.#evaluated(await this.#imported(specifier, path)),
    });
  }

  /** @returns what is exported */
  async #evaluated(module) {
    await this.#linked(module);
    await module.evaluate();
    return module.namespace;
  }

  /** One graph at a time: what two imports share can be neither linked nor evaluated while the other one links it. */
  #linked(module) {
    const link = async () => {
      if (module.status === 'unlinked')
        await module.link((specifier, { identifier }) => this.#imported(specifier, identifier));
    };
    const linked = linking.then(link);
    linking = linked.catch(() => undefined);
    return linked;
  }
}
