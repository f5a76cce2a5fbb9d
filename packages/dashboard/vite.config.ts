/** No plugin: Vite's own compiler turns JSX into preact/jsx-runtime, as src/tsconfig.json says. */
import path from "node:path";
import { defineConfig } from "vite";

export default defineConfig({
  root: path.resolve(import.meta.dirname, "src"),
  // One build for every base path: scripts find each other, the server makes the page's links fit.
  base: "./",
  logLevel: "warn",
  build: {
    outDir: path.resolve(import.meta.dirname, "dist/app"),
    emptyOutDir: true,
    target: "es2023",
    // A data: address in a style would need a wider policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    cssCodeSplit: true,
    // The first script lists these files, and each refers to others: names would be bytes on the wire.
    rolldownOptions: { output: { chunkFileNames: "assets/[hash].js" } }
  }
});
