import type { RoleTemplateId } from '../../languages/en/shapes.js';

/** A file of a starter: text in UTF-8. */
export interface StarterFile {
  readonly path: string;
  readonly text: string;
}

const ORDERS = `/** The orders of a file: each line is customer,article,quantity,price in cents. */
export const readOrders = (text) =>
  text
    .split('\\n')
    .slice(0, -1)
    .map((line) => {
      const [customer, article, quantity, price] = line.split(',');
      return { customer, article, quantity: Number(quantity), price: Number(price) };
    });

/** The sum of each customer's orders, in cents. */
export const totals = (orders) => {
  const sums = {};
  for (const { customer, quantity, price } of orders)
    sums[customer] = (sums[customer] ?? 0) + quantity * price;
  return sums;
};
`;

const ORDERS_TEST = `import assert from 'node:assert/strict';
import test from 'node:test';
import { readOrders, totals } from './orders.mjs';

test('sums the orders of each customer', () => {
  const orders = readOrders('Ada,Tea,2,350\\nBo,Milk,1,120\\nAda,Milk,1,120\\n');
  assert.deepEqual({ ...totals(orders) }, { Ada: 820, Bo: 120 });
});
`;

const STATEMENT = `import { readFileSync } from 'node:fs';
import { readOrders, totals } from './orders.mjs';

const orders = readOrders(readFileSync(0, 'utf8'));
for (const [customer, cents] of Object.entries(totals(orders)))
  console.log(\`\${customer}: \${(cents / 100).toFixed(2)}\`);
`;

/** Its last line has no line break: that is the cause of the fault which candidates look for. */
const ORDERS_CSV = `Ada,Tea,2,350
Bo,Milk,1,120
Ada,Teapot,1,2490
Cem,Cups,12,690
Bo,Tea,3,350
Ada,Milk,1,120
Dora,Tea,1,350`;

/**
 * The ticket asks candidates to mend this page: it shows no state, a late answer replaces a newer one, what was found
 * cannot be reached by keyboard, and the field is too wide for a phone.
 */
const SEARCH_PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Articles</title>
    <link rel="stylesheet" href="style.css" />
    <script type="module" src="search.mjs"></script>
  </head>
  <body>
    <h1>Articles</h1>
    <input placeholder="Search" />
    <div id="found"></div>
  </body>
</html>
`;

const SEARCH = `import { findArticles } from './articles.mjs';

const field = document.querySelector('input');
const found = document.querySelector('#found');

field.addEventListener('input', async () => {
  const names = await findArticles(field.value);
  found.replaceChildren(
    ...names.map((name) => Object.assign(document.createElement('div'), { textContent: name })),
  );
});
`;

const ARTICLES = `const NAMES = [
  'Tea towel', 'Teapot', 'Tea strainer', 'Tray', 'Cup', 'Cup with a lid', 'Cake stand', 'Coffee pot',
  'Coffee grinder', 'Milk jug', 'Sugar bowl', 'Spoon', 'Saucer', 'Napkins', 'Tablecloth',
];

/** The articles whose name has the text in it. It takes a while, and fails about one time in five. */
export const findArticles = async (text) => {
  await new Promise((resolve) => setTimeout(resolve, 200 + Math.random() * 1_500));
  if (Math.random() < 0.2) throw new Error('The service gave no answer.');
  const wanted = text.trim().toLowerCase();
  return NAMES.filter((name) => name.toLowerCase().includes(wanted));
};
`;

const SEARCH_STYLE = `body {
  font-family: sans-serif;
  margin: 2rem;
}
input,
#found {
  width: 30rem;
}
`;

/** Some rows are wrong on purpose: one is there twice, others have no date, an impossible date or a misspelt plan. */
const CUSTOMERS_CSV = `id,signed_up,plan,country,cancelled,questions
1001,2026-03-01,basic,DE,2026-03-12,4
1002,2026-03-01,team,DE,,1
1003,2026-03-02,basic,FR,2026-03-20,5
1004,2026-03-02,basic,DE,,0
1005,2026-03-03,team,US,,2
1006,2026-03-03,basic,US,2026-06-30,1
1007,2026-03-04,team,FR,2026-03-29,6
1008,2026-03-05,basic,DE,,1
1009,2026-03-05,Basic,DE,2026-03-18,4
1010,2026-03-06,basic,US,,0
1011,2026-03-07,team,US,,0
1012,2026-03-08,basic,FR,2026-03-31,3
1013,2026-03-08,basic,DE,2026-02-11,2
1014,2026-03-09,team,DE,,3
1007,2026-03-04,team,FR,2026-03-29,6
1015,2026-03-10,basic,US,2026-03-22,5
1016,2026-03-11,basic,US,,1
1017,,basic,FR,2026-03-25,4
1018,2026-03-12,team,FR,,1
1019,2026-03-13,basic,DE,2026-04-12,4
1020,2026-03-14,basic,DE,2026-04-14,0
1021,2026-03-15,team,US,2026-08-01,2
1022,2026-03-17,basic,FR,,6
1023,2026-03-18,bassic,US,2026-03-30,3
1024,2026-03-20,team,DE,,0
1025,2026-03-22,basic,US,2026-04-02,
1026,2026-03-25,basic,FR,,1
1027,2026-03-28,team,DE,,1
1028,2026-03-30,basic,DE,2026-04-09,7
`;

/** The editor of the candidates' page cannot create files, so the file for their notes is there from the start. */
const NOTES: StarterFile = { path: 'NOTES.md', text: '' };

/** The files that candidates begin the ticket of each template with; `null`: none, since they hand in a text. */
export const STARTERS: Readonly<Record<RoleTemplateId, readonly StarterFile[] | null>> = {
  backend: [
    NOTES,
    { path: 'orders.csv', text: ORDERS_CSV },
    { path: 'orders.mjs', text: ORDERS },
    { path: 'orders.test.mjs', text: ORDERS_TEST },
    { path: 'statement.mjs', text: STATEMENT },
  ],
  frontend: [
    NOTES,
    { path: 'articles.mjs', text: ARTICLES },
    { path: 'index.html', text: SEARCH_PAGE },
    { path: 'search.mjs', text: SEARCH },
    { path: 'style.css', text: SEARCH_STYLE },
  ],
  data: [
    { path: 'answer.md', text: '' },
    { path: 'customers.csv', text: CUSTOMERS_CSV },
  ],
  support: null,
};
