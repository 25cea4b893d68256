/* The site's search runs in a Worker. Browsers refuse one to a page that is opened as a file, where a hidden frame takes its
   place: it loads the same script, and messages go to and fro. */
if (location.protocol === "file:") {
  const load = (inner, url) => new Promise((done, failed) => {
    const script = inner.document.createElement("script");
    script.src = url;
    script.onload = done;
    script.onerror = failed;
    inner.document.body.appendChild(script);
  });

  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.appendChild(this.frame);
      const inner = this.frame.contentWindow;
      inner.document.open();
      inner.document.write("<!doctype html><title>search</title><body></body>");
      inner.document.close();
      inner.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", {data}));
      this.ready = load(inner, url);
    }

    postMessage(data) {
      const inner = this.frame.contentWindow;
      this.ready.then(() => inner.dispatchEvent(new inner.MessageEvent("message", {data})));
    }

    terminate() {
      this.frame.remove();
    }
  };
}

/* A dash before a word excludes it from what is found. Here it begins an option, such as --repeat, which is looked for. */
const send = Worker.prototype.postMessage;
Worker.prototype.postMessage = function (message, ...rest) {
  const isQuery = message && typeof message.data === "string";
  return send.call(this, isQuery ? {...message, data: message.data.replace(/(^|\s)-+(?=\w)/g, "$1")} : message, ...rest);
};
