import asyncHooks from 'node:async_hooks';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { SourceTextModule, SyntheticModule } from 'node:vm';

const require = createRequire(import.meta.url);

/** Modules that the suites of this worker share: the product's by path; packages' and Node's by their specifier. */
const product = new Map();
const foreign = new Map();
/** Resolves once all packages requested so far are loaded. */
let foreignLoaded = Promise.resolve();
/** Resolves once every graph that is being linked is linked. */
let linking = Promise.resolve();
/** Source maps by source, in the form that Jest uses for stacks. */
const sourceMaps = new Map();

/** Functions that stay real while a suite uses fake timers: Node's streams and requests need them. */
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
 * Loads suites instead of Jest's own runtime. That one finds, compiles, links and evaluates every module again for each
 * suite, which took longer than the tests. Here only a suite and what it imports of `test/` are evaluated for each suite;
 * the product is loaded once a worker. If a suite mocks a module or calls `jest.resetModules`, it gets fresh copies of all
 * modules from then on.
 */
export default class SharedModulesRuntime {
  #own = new Map();
  #replaced = new Map();
  /** Whether the suite has copies of its own of all modules. */
  #isIsolated = false;
  /** Each `AsyncLocalStorage` that a suite leaves enabled slows every promise of later suites. */
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
        this.#isIsolated = true;
      },
      unstable_mockModule: (specifier, make) => {
        this.#replaced.set(specifier, moduleOf(specifier, make()));
        this.#isIsolated = true;
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

  /** Loads Jest's own modules again for each suite: they keep what a suite declares, and would report former suites. */
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
    // Newer versions of Node have a getter here.
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
    const modules = isSuites || this.#isIsolated ? this.#own : product;
    const module = modules.get(path) ?? this.#compiled(path);
    modules.set(path, module);
    return module;
  }

  #foreign(specifier) {
    const known = foreign.get(specifier);
    if (known) return known;
    // In sequence: Node refuses `require` of a module that an import has begun to load (jose, required by jwks-rsa).
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

  /** @returns the module's exports */
  async #evaluated(module) {
    await this.#linked(module);
    await module.evaluate();
    return module.namespace;
  }

  /** Links one graph at a time: Node can neither link nor evaluate a module that another import is linking. */
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
