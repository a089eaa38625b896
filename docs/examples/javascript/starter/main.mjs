let input = '';
for await (const chunk of process.stdin) input += chunk;

for (const line of input.split('\n')) {
  // Your work begins here.
  console.log(line);
}
