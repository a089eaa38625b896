import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Counter, Gauge, Histogram } from 'prom-client';
import { parse } from 'yaml';
import { checksCommands } from '../../src/operator/checks/command.js';
import { program } from '../../src/operator/cli/program.js';
import { clockCommands } from '../../src/operator/clock.js';
import { deadLettersCommands } from '../../src/operator/dead-letters/command.js';
import { projectionsCommands } from '../../src/operator/projections/command.js';
import { allMetrics } from './all-metrics.js';
import { readQuery, type KnownMetric, type Query } from './promql.js';

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly {
    readonly refId: string;
    readonly expr: string;
    readonly legendFormat: string;
  }[];
}

interface Dashboard {
  readonly panels: readonly Panel[];
  readonly annotations: { readonly list: readonly { readonly expr: string; readonly titleFormat: string }[] };
  readonly templating: { readonly list: readonly { readonly name: string; readonly definition?: string }[] };
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const { groups } = parse(read('ops/alerts.yml')) as { groups: { name: string; rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const dashboard = JSON.parse(read('ops/grafana-dashboard.json')) as Dashboard;
const page = read('docs/production/monitoring.md');

/** Every metric that a process exports. */
const known: ReadonlyMap<string, KnownMetric> = (() => {
  const typeOf = (metric: object): KnownMetric['type'] => {
    if (metric instanceof Counter) return 'counter';
    if (metric instanceof Gauge) return 'gauge';
    return metric instanceof Histogram ? 'histogram' : 'summary';
  };
  return new Map(
    allMetrics()
      .getMetricsAsArray()
      .map((metric) => {
        const labels = Reflect.get(metric, 'labelNames') as readonly string[];
        return [metric.name, { type: typeOf(metric), labels }];
      }),
  );
})();
const own = [...known.keys()].filter((name) => /^(assay|interview|http)_/.test(name));

const unique = (values: readonly unknown[]): void => expect(values).toEqual([...new Set(values)]);

/** @throws if the text names a label that the query's answer does not have */
function assertLabels(text: string, { labels }: Query, pattern: RegExp): void {
  for (const [, label = ''] of text.matchAll(pattern)) {
    if (labels?.has(label) !== true) throw new Error(`“${text}” names a label that is not there: ${label}.`);
  }
}

const readRule = ({ expr, annotations }: Rule): Query => {
  const query = readQuery(expr, known);
  for (const text of Object.values(annotations)) assertLabels(text, query, /\$labels\.(\w+)/g);
  return query;
};

const readTargets = ({ targets = [] }: Panel): readonly Query[] =>
  targets.map(({ expr, legendFormat }) => {
    const query = readQuery(expr, known);
    assertLabels(legendFormat, query, /\{\{(\w+)\}\}/g);
    return query;
  });

/** A histogram's series by the histogram's name. */
const named = (queries: readonly Query[]): ReadonlySet<string> =>
  new Set(
    queries.flatMap(({ metrics }) => [...metrics].map((name) => name.replace(/_(bucket|sum|count)$/, ''))),
  );

describe('What watches the service', () => {
  it('is checked against every metric: no other file makes any', () => {
    const makers = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.spec.ts'))
      .map((entry) => relative(root, join(entry.parentPath, entry.name)))
      .filter((path) =>
        /import \{[^}]*\b(Counter|Gauge|Histogram|Summary)\b[^}]*\} from 'prom-client'/.test(read(path)),
      );
    expect(makers.sort()).toEqual([
      'src/http/sending.ts',
      'src/interview/socket/interview.gateway.ts',
      'src/process/clock.ts',
      'src/process/disk.ts',
      'src/process/metrics.ts',
      'src/process/view-metrics.ts',
      'src/process/work-metrics.ts',
      'src/reactors/metrics.ts',
      'src/wiring/certificate-metrics.ts',
    ]);
  });

  it('queries metrics and labels that exist, and shows only labels of the answer', () => {
    expect(rules.length).toBeGreaterThan(20);
    const alerts = rules.map(readRule);
    const panels = dashboard.panels.flatMap(readTargets);
    for (const { expr, titleFormat } of dashboard.annotations.list)
      assertLabels(titleFormat, readQuery(expr, known), /\{\{(\w+)\}\}/g);
    expect(panels.length).toBeGreaterThan(30);
    const shown = named(panels);
    expect(own.filter((name) => !shown.has(name))).toEqual([]);
    const watched = named(alerts);
    for (const name of [
      ...['assay_view_lag_seconds', 'assay_segment_owned', 'assay_store_answers'],
      ...['assay_evaluations_ended_total', 'assay_evaluation_oldest_pending_seconds'],
      ...['assay_checks_ended_total', 'assay_check_oldest_waiting_seconds'],
      ...['assay_disk_free_bytes', 'assay_disk_kept_back_bytes'],
      ...['assay_backup_last_timestamp_seconds', 'assay_certificate_expiry_timestamp_seconds'],
    ])
      expect(watched).toContain(name);
  });

  it('reads only our own jobs: another service’s figures neither raise an alert nor show', () => {
    const panels = dashboard.panels.flatMap(({ title, targets = [] }) =>
      targets.map(({ expr }) => ({ where: title, expr })),
    );
    const alerts = rules.map(({ alert, expr }) => ({ where: alert, expr }));
    const annotations = dashboard.annotations.list.map(({ expr }) => ({ where: 'annotations', expr }));
    const ofAnyJob = [...alerts, ...panels, ...annotations].flatMap(({ where, expr }) =>
      [...readQuery(expr, known).ofAnyJob].map((metric) => [where, metric]),
    );
    expect(ofAnyJob).toEqual([]);
    expect(readQuery('sum(up) + sum(up{job="assay"})', known).ofAnyJob).toEqual(new Set(['up']));
  });

  it('is explained: every metric of the service is on the page for production', () => {
    expect(own.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });

  it('sends operators to commands that exist, with what they take', () => {
    const commands = program([
      projectionsCommands,
      deadLettersCommands,
      clockCommands,
      checksCommands,
    ]).commands;
    const texts = [
      read('ops/alerts.yml'),
      read('ops/grafana-dashboard.json'),
      read('src/process/view-component.ts'),
      read('src/process/checks-health.ts'),
    ];
    const named = texts.flatMap((text) => [...text.matchAll(/`assay ([\w-]+) ([\w-]+)( [{$])?/g)]);
    expect(named.length).toBeGreaterThan(20);
    for (const [text, group, name, argument] of named) {
      const command = commands
        .find((one) => one.name() === group)
        ?.commands.find((one) => one.name() === name);
      const takes = command?.registeredArguments.map((one) => one.name());
      expect([text, takes]).toEqual([text, argument ? expect.arrayContaining(['view']) : expect.anything()]);
    }
  });

  it.each([
    ['a metric that nobody exports', 'assay_view_lag > 1', 'names assay_view_lag'],
    ['a matcher’s label', 'assay_view_parked_documents{segment="1"}', 'has no label segment'],
    [
      'a label that the series lack',
      'max by (segment) (assay_view_parked_documents)',
      'has no label segment',
    ],
    ['a label that was summed away', 'max by (view) (sum(assay_view_lag_seconds))', 'has no label view'],
    ['a gauge for a counter', 'rate(assay_view_lag_seconds[5m])', 'takes the rate of'],
    ['a counter for a gauge', 'deriv(interview_upgrades_total[5m])', 'takes the deriv of'],
    ['no range', 'rate(interview_upgrades_total)', 'gives rate no range'],
    ['series that never match', 'assay_view_paused == assay_log_head', 'compares {'],
    ['a quantile of no buckets', 'histogram_quantile(0.9, http_request_duration_seconds_sum)', 'no label le'],
    ['what is no query', 'sum(assay_log_head', 'in place of )'],
    ['what goes on', 'assay_log_head)', 'goes on with )'],
    ['an unknown function', 'stddev_over_time(assay_log_head[5m])', 'of which nothing is known'],
    ['signs that are none', 'assay_log_head ; 1', 'cannot be read'],
  ])('would not let pass %s', (_, query, message) => {
    expect(() => readQuery(query, known)).toThrow(message);
  });
});

describe('The alert rules', () => {
  it('have names of their own, in groups', () => {
    unique(groups.map(({ name }) => name));
    unique(rules.map(({ alert }) => alert));
    for (const { alert } of rules) expect(alert).toMatch(/^Assay[A-Z]\w+$/);
  });

  it.each(rules.map((rule) => [rule.alert, rule] as const))(
    '%s says when, how bad and what to do',
    (_, rule) => {
      expect(Object.keys(rule).sort()).toEqual(['alert', 'annotations', 'expr', 'for', 'labels']);
      expect(rule.for).toMatch(/^\d+[smhd]$/);
      expect(rule.labels['severity']).toMatch(/^(critical|warning|info)$/);
      const { summary, description, action, runbook } = rule.annotations;
      expect(summary).toMatch(/\.$/);
      expect(description).toMatch(/\.$/);
      expect(action).toMatch(/\S/);
      const [, path = '', anchor = ''] = /^(docs\/[\w/-]+\.md)#([\w-]+)$/.exec(runbook ?? '') ?? [];
      const anchors = [...read(path).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
        heading
          .toLowerCase()
          .replaceAll(/[^\w\s-]/g, '')
          .replaceAll(' ', '-'),
      );
      expect(anchors).toContain(anchor);
    },
  );
});

describe('The dashboard', () => {
  const { panels, templating } = dashboard;

  it('has panels with distinct ids that do not overlap', () => {
    unique(panels.map(({ id }) => id));
    const taken = new Map<string, string>();
    for (const { title, gridPos } of panels) {
      expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
          expect([title, taken.get(`${x} ${y}`)]).toEqual([title, undefined]);
          taken.set(`${x} ${y}`, title);
        }
      }
    }
    for (const { targets = [] } of panels) unique(targets.map(({ refId }) => refId));
  });

  it('has a row for each part of the service, and something in each', () => {
    const rows = panels.flatMap(({ type, title }, index) => (type === 'row' ? [{ title, index }] : []));
    expect(rows.map(({ title }) => title)).toEqual([
      'Service',
      'HTTP',
      'Stores',
      'Views',
      'Rebuild',
      'Dead letters',
      'Interviews',
      'Webhooks and mails',
      'Evaluations',
      'Upkeep',
    ]);
    for (const { index } of rows) expect(panels[index + 1]?.targets?.length).toBeGreaterThan(0);
  });

  it('uses the variables that it has', () => {
    const names = templating.list.map(({ name }) => name);
    const used = [...JSON.stringify(panels).matchAll(/\$\{?(\w+)/g)].map(([, name = '']) => name);
    expect(new Set(used.filter((name) => !name.startsWith('__')))).toEqual(new Set(names));
    for (const { definition } of templating.list.filter((variable) => variable.definition !== undefined)) {
      const [, metric = '', label = ''] = /^label_values\((\w+), (\w+)\)$/.exec(definition ?? '') ?? [];
      expect([...(known.get(metric)?.labels ?? []), 'job']).toContain(label);
    }
  });
});
