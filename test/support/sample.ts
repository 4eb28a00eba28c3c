/** How many of `sample` answers have a body, asked for twenty at a time. */
export async function countOf(body: string, sample: number, ask: () => Promise<{ readonly body: string }>): Promise<number> {
  let count = 0;
  for (let asked = 0; asked < sample; asked += 20) {
    const answers = await Promise.all(Array.from({ length: 20 }, ask));
    count += answers.filter((answer) => answer.body === body).length;
  }
  return count;
}
