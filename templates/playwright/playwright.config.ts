import { defineConfig } from "@playwright/test";

export default defineConfig({ outputDir: "../../node_modules/.cache/playwright" });
