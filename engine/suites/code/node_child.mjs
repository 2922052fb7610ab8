// The process that runs one file of a suite in JavaScript or TypeScript through node.
//
// Each line on standard input is a call: mark, path, function (or the one that the file exports) and
// arguments. Each reply is one line on standard output, with the seconds that the function took; what the
// script prints goes to standard error.
import { readFileSync } from "node:fs";
import * as modules from "node:module";
import readline from "node:readline";
import { pathToFileURL } from "node:url";

const answer = process.stdout.write.bind(process.stdout);
process.stdout.write = process.stderr.write.bind(process.stderr);

// TypeScript names what lies beside it without an ending, or by the one that it has once it is built.
const ENDINGS = [".ts", ".mts", ".cts", ".js", ".mjs", ".cjs", ".json", "/index.ts", "/index.js"];
const LACKING = "lacking:";

// A package that is not installed may be imported for its types alone, which are never looked at. What is used
// in another way says then what lacks.
function lacking(name, parent) {
  const names = new Set();
  for (const found of readFileSync(new URL(parent), "utf8").matchAll(/\bimport\b([^'";]*)\bfrom\s*['"]([^'"\n]+)/g)) {
    const listed = found[2] === name ? (/{([^}]*)}/.exec(found[1])?.[1] ?? "") : "";
    for (const one of listed.split(",")) names.add(one.trim().replace(/^type\s+/, "").split(/\s/)[0]);
  }
  const told = JSON.stringify(`it needs the package ${name}, which is not installed`);
  const fails = ["get", "apply", "construct"].map((trap) => `${trap}() { throw new Error(${told}); }`);
  const exports = [...names].filter((one) => /^[\w$]+$/.test(one) && one !== "default");
  return [
    `const lack = new Proxy(function () {}, { ${fails.join(", ")} });`,
    "export default lack;",
    ...exports.map((one) => `export { lack as ${one} };`),
  ].join("\n");
}

modules.registerHooks?.({
  resolve(name, context, next) {
    try {
      return next(name, context);
    } catch (error) {
      const parent = context.parentURL ?? "";
      if (!/\.[cm]?ts$/.test(parent)) throw error;
      if (/^[@\w]/.test(name) && /MODULE_NOT_FOUND$/.test(error.code)) {
        const given = encodeURIComponent(JSON.stringify([name, parent]));
        return { url: LACKING + given, format: "module", shortCircuit: true };
      }
      if (!/^\.{0,2}\//.test(name)) throw error;
      for (const other of [name.replace(/\.([cm]?)js$/, ".$1ts"), ...ENDINGS.map((end) => name + end)]) {
        try {
          return next(other, context);
        } catch {}
      }
      throw error;
    }
  },
  load(url, context, next) {
    if (!url.startsWith(LACKING)) return next(url, context);
    const source = lacking(...JSON.parse(decodeURIComponent(url.slice(LACKING.length))));
    return { format: "module", source, shortCircuit: true };
  },
});

function exported(module, name) {
  const whole = module.default ?? module;
  if (!name) return whole.default ?? whole;
  const found = module[name] ?? whole[name];
  if (found === undefined) throw new Error(`there is no ${name} in it`);
  return found;
}

async function answered(call) {
  let found;
  try {
    found = exported(await import(pathToFileURL(call.path).href), call.function);
  } catch (error) {
    return { error: told(error), lost: true };
  }
  if (call.provider) {
    if (typeof found === "function" && found.prototype?.callApi) found = new found(call.provider);
    if (typeof found?.callApi === "function") found = found.callApi.bind(found);
  }
  const began = performance.now();
  const value = typeof found === "function" ? await found(...call.arguments) : found;
  const seconds = (performance.now() - began) / 1000;
  const given = call.kept == null ? value : value || call.arguments[call.kept];
  return given === undefined ? { missing: true, seconds } : { value: given, seconds };
}

function told(error) {
  return String(error?.message || error);
}

const calls = readline.createInterface({ input: process.stdin });
// A script that waits for something would wait for nobody.
process.stdin.on("end", () => process.exit(0));
for await (const line of calls) {
  const call = JSON.parse(line);
  let reply;
  try {
    reply = JSON.stringify(await answered(call));
  } catch (error) {
    reply = JSON.stringify({ error: told(error) });
  }
  await new Promise((done) => answer(`${call.mark} ${reply}\n`, done));
}
