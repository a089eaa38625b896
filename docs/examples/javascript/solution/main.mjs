let input = '';
for await (const chunk of process.stdin) input += chunk;

/** In tenths of a cent, which are exact. */
const totals = new Map();
for (const [index, line] of input.split('\n').entries()) {
  if (line.trim() === '') continue;
  const [, article, units, decimals = '', quantity] =
    /^([^,]+),(\d+)(?:\.(\d{1,3}))?,(\d+)$/.exec(line) ?? [];
  if (article === undefined) {
    console.error(`Line ${index + 1} is no sale.`);
    process.exit(1);
  }
  const price = BigInt(units + decimals.padEnd(3, '0'));
  totals.set(article, (totals.get(article) ?? 0n) + price * BigInt(quantity));
}

for (const [article, total] of [...totals].sort(([one], [other]) => (one < other ? -1 : 1))) {
  const cents = String((total + 5n) / 10n).padStart(3, '0');
  console.log(`${article},${cents.slice(0, -2)}.${cents.slice(-2)}`);
}
