/** Scripts of the bench's apps, as they run in their frames. Times are the machine's, in ms. */

const NOW = "const now = () => performance.timeOrigin + performance.now();";

/** Shows its first record, and when that was on the screen. */
export const FIRST_DATA = `${NOW}
  const [first] = await window.platform.data.list("note", {}, { limit: 1 });
  document.getElementById("root").textContent = first.data.text;
  requestAnimationFrame(() => setTimeout(() => { document.body.dataset.shownAt = String(now()); }));`;

/** Makes the calls it is told to, one after the other, and keeps how long each took. */
export const ROUND_TRIPS = `document.getElementById("root").textContent = "ready";
  window.roundTrips = async (calls) => {
    const tookMs = [];
    for (let call = 0; call < calls; call += 1) {
      const from = performance.now();
      await window.platform.data.count("note");
      tookMs.push(performance.now() - from);
    }
    return tookMs;
  };`;

/** Listens to the type that its page is named after, and keeps what each change took. */
export const LISTENER = `${NOW}
  const tookMs = []; window.heard = tookMs;
  await window.platform.data.subscribe(window.platform.context.pageId, ({ data }) => {
    tookMs.push(now() - data.at);
  });
  document.getElementById("root").textContent = "listening";`;
