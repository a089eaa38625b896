let input = '';
for await (const chunk of process.stdin) input += chunk;

const totals = {};
for (const line of input.split('\n')) {
  if (line === '') continue;
  const [article, price, quantity] = line.split(',');
  totals[article] = (totals[article] ?? 0) + price * quantity;
}

for (const article of Object.keys(totals).sort()) console.log(`${article},${totals[article].toFixed(2)}`);
