/** A worklet module that Vite bundles into a separate file; the default export is its URL. */
declare module "*?worker&url" {
  const url: string;
  export default url;
}

/** An image emitted by Vite; the default export is its URL. */
declare module "*.svg" {
  const url: string;
  export default url;
}

/** A style sheet as text. */
declare module "*.css?inline" {
  const css: string;
  export default css;
}

/** A style sheet loaded with the part of a page that needs it. */
declare module "*.css";
