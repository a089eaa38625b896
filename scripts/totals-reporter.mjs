/** Jest's last word as one plain line. A suite that could not run counts as one failure; none at all is one too. */
export default class TotalsReporter {
  onRunComplete(_contexts, results) {
    const { numPassedTests: passed, numPendingTests, numTodoTests, numRuntimeErrorTestSuites } = results;
    this.failed = results.numFailedTests + numRuntimeErrorTestSuites;
    if (passed + this.failed === 0) this.failed = 1;
    const skipped = numPendingTests + numTodoTests;
    this.line = `${passed} passed, ${this.failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
    process.stdout.write(`\n${this.line}\n`);
  }

  getLastError() {
    return this.failed > 0 ? new Error(this.line) : undefined;
  }
}
