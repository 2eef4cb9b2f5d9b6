// Snippets, cut from the files that the tests run.
import { h, need } from "../base/dom.ts";
import clothC from "../learn/code/cloth.c?text";
import clothJs from "../learn/code/cloth.js?text";
import { shell } from "./shell.ts";

shell();
// The line with this site's own address. A site that was built with `--first` has no package to offer, and its text says so.
const npm = need("#npm"), tarball = npm.dataset.tarball;
if (tarball) npm.replaceChildren(h("code", { "data-testid": "npm" }, `npm install ${new URL(tarball, new URL(document.documentElement.dataset.root ?? "../", location.href)).href}`));
else npm.replaceChildren("This site was built for this machine alone. ", h("code", {}, "make web"), " adds the npm package, and this line then installs it.");
need("#code-js").append(h("pre", { class: "code", tabindex: 0 }, clothJs));
need("#code-c").append(h("pre", { class: "code", tabindex: 0 }, clothC));
document.documentElement.dataset.ready = "install";
