import { describe, expect, test } from "vitest";
import { readShell } from "../shell/shell-reader.js";
import { checkInCommand } from "./check-in-command.js";

/** The kind of check, with `?` where its exit code is lost; empty for none. */
function checkOf(command: string, extra?: readonly string[]): string {
  const check = checkInCommand(readShell(command), extra);
  return check ? `${check.kind}${check.isLost ? "?" : ""}` : "";
}

const CHECKS: Readonly<Record<string, readonly string[]>> = {
  tests: [
    ..."npm test|npm t|npm run test|npm run test:unit|npm --prefix web test|npm -w pkg run test|npm test -- --grep x".split(
      "|",
    ),
    ..."pnpm test|pnpm -r test|pnpm --filter api test|pnpm vitest run|yarn test|yarn jest|yarn workspace web test".split(
      "|",
    ),
    ..."bun test|bun run test|npx vitest run|npx --yes jest --ci|npx -y mocha|pnpm exec playwright test|deno test -A".split(
      "|",
    ),
    ..."pytest|pytest -q tests/test_a.py|python -m pytest -x|python3 -m unittest discover|tox -e py312|uv run pytest".split(
      "|",
    ),
    ..."poetry run pytest|pytest -n 4|pytest -v|coverage run -m pytest|python manage.py test|nox".split("|"),
    ..."go test ./...|go test -run TestX ./pkg|gotestsum|cargo test|cargo nextest run|cargo +nightly test".split("|"),
    ..."make test|make -C sub check|make -j4 test|make -j 4 V=1 check|just test|mvn test|mvn -q verify|./mvnw test".split(
      "|",
    ),
    ..."./gradlew test|gradle :app:connectedAndroidTest|dotnet test|rspec spec/a_spec.rb|bundle exec rspec|rake test".split(
      "|",
    ),
    ..."bin/rails test|phpunit|vendor/bin/phpunit|php artisan test|ctest --output-on-failure|mix test|swift test".split(
      "|",
    ),
    ..."xcodebuild test -scheme App|bazel test //...|node --test|node --test test/|./test.sh|bash scripts/run-tests.sh".split(
      "|",
    ),
    ..."flutter test|sbt test|zig build test|nx test web|nx run-many -t test|turbo run test|prove -r t|bats test".split(
      "|",
    ),
    ..."CI=1 npm test|cd web && npm test|time npm test|timeout 60 npm test|sudo npm test|env A=b npm test".split("|"),
    ..."timeout -k 5 60 pytest|bash -c 'npm test'|sh -lc \"cd x && npm test\"|(cd web && npm test)|{ npm test; }".split(
      "|",
    ),
    ..."npm run lint && npm test|npm ci && npm run build && npm test|npm test && git commit -m x|npm test > out.log 2>&1".split(
      "|",
    ),
    ..."cd x; npm test|echo start; npm test".split("|"),
    "npm test || exit 1",
    "npm test || { echo bad; exit 1; }",
    "npm test || false",
    "npm test || npm test",
    ..."set -e; npm test; echo done|npm test; exit $?|npm start & sleep 3; npm test|docker compose exec -T web pytest".split(
      "|",
    ),
    ..."docker exec -it app npm test|NODE_ENV=test FOO='a b' npx jest".split("|"),
    "set -o pipefail; npm test | tail -5",
    "set -euo pipefail\nnpm test 2>&1 | tee log",
    "npm run build\nnpm test",
    "npm test \\\n  -- --reporter dot",
    "# the tests\nnpm test",
    "cat > x.js <<'EOF'\nnpm test || true\nEOF\nnpm test",
    "bash -eo pipefail -c 'npm test | tail -1'",
  ],
  "tests?": [
    "npm test 2>&1 | tail -5",
    "npm test | tee log",
    "pytest -q | grep -v x",
    "npm test |& tail -3",
    "cd web && npx vitest run 2>&1 | tail -30",
    "bash -c 'npm test | tail -1'",
    'npm test; echo "exit: $?"',
    "npm test | tail -5 && echo ok",
  ],
  lint: [
    ..."npm run lint|pnpm lint|yarn run lint:js|npx eslint .|npx biome check .|npx prettier --check .|ruff check .".split(
      "|",
    ),
    ..."ruff format --check|flake8|golangci-lint run|cargo clippy -- -D warnings|cargo fmt --check|make lint|shellcheck x.sh".split(
      "|",
    ),
    ..."git diff --check|deno lint|go vet ./...|rubocop|black --check .|bash -n x.sh|node --check a.js|php -l a.php".split(
      "|",
    ),
    ..."npm run format:check|pre-commit run --all-files|eslint --fix src|node_modules/.bin/eslint src".split("|"),
  ],
  build: [
    ..."npm run build|yarn build|bun run build|go build ./...|cargo build --release|cargo check|make|make all|dotnet build".split(
      "|",
    ),
    ..."mvn package -DskipTests|./gradlew assemble|vite build|npx next build|docker build -t a .|cmake --build out|tsup".split(
      "|",
    ),
    ..."swift build|bazel build //a|cargo test --no-run|javac A.java|python -m compileall src|./build.sh".split("|"),
  ],
  types: [
    ..."npx tsc --noEmit|tsc -p .|npm run typecheck|npm run type-check|pnpm check:types|mypy src|pyright|deno check a.ts".split(
      "|",
    ),
    ..."npx vue-tsc --noEmit|python -m mypy .|vendor/bin/phpstan analyse|node node_modules/typescript/bin/tsc -p .".split(
      "|",
    ),
  ],
  request: [
    ..."curl localhost:3000|curl -sf http://localhost:3000/health|curl -s http://127.0.0.1:8080/a?b=1|wget -qO- localhost".split(
      "|",
    ),
    ..."http :3000/health|curl -X POST -d '{}' http://localhost:3000/api|curl http://[::1]:80/".split("|"),
  ],
  screenshot: [
    ..."npx playwright screenshot http://x a.png|chromium --headless --screenshot=a.png http://x|node screenshot.mjs".split(
      "|",
    ),
    "google-chrome --headless --screenshot http://localhost:1",
  ],
  "": [
    ..."echo npm test|npm test --help|npm test -- --version|pytest --collect-only|jest --listTests|go test -list .".split(
      "|",
    ),
    ...'npm test &|# npm test|grep "npm test" x|git commit -m "npm test"|! npm test|npm run|npm install|npm ci'.split(
      "|",
    ),
    ..."npm run dev|npm run test:watch|npx vitest --watch|npx vitest list|tsc --watch|npm run build:watch|make clean".split(
      "|",
    ),
    ..."make -n test|npx playwright install|prettier --write .|ruff format .|cargo fmt|cargo run|go run .|python app.py".split(
      "|",
    ),
    ..."python -c 'import pytest'|node -e 'npm test'|cat package.json|ls test|cd test|rm -rf build|mkdir build|vim test.js".split(
      "|",
    ),
    ..."curl https://example.com|curl -O https://localhost.example.com/x|wget https://example.com/localhost|xcodebuild -list".split(
      "|",
    ),
    ..."docker compose up|docker run x npm test -h|terraform plan|git test|which pytest|command -v jest|man test".split(
      "|",
    ),
    ..."npm view jest|pip install pytest|npm i -D vitest|$RUNNER test|test -f package.json|[ -f a ] && echo test".split(
      "|",
    ),
    ..."ssh host 'npm test'|node build-index.js|node test-data-generator.js|bash setup_test_env.sh|pytest --version".split(
      "|",
    ),
    "npm test || true",
    "npm test || :",
    "npm test || echo failed",
    "npm test || exit 0",
    "npm test; true",
    "npm test; echo done",
    "npm test\necho done",
    "npm test && echo ok || echo bad",
    "npm test | tail -5 || true",
    "npm test > out.log; tail out.log",
    "(npm test || true)",
    "bash -c 'npm test || true'",
    "if npm test; then echo ok; fi",
    "while ! curl -s localhost:3000; do sleep 1; done",
    "for f in a b; do npm test $f; done",
    "cat <<EOF\nnpm test\nEOF",
    "cat <<'EOF' > run.sh\nnpm test\nEOF",
    "echo 'run npm test' > notes.md",
    "set -e; npm test || true; echo done",
    "test -d x || npm test",
    "npm test & wait",
    "x=$(npm test)",
    "echo `npm test`",
    "",
    "|| && ;",
    "'",
    '"npm test"',
  ],
};

describe("checks in command lines", () => {
  for (const [expected, commands] of Object.entries(CHECKS))
    test.each(commands)(`${expected || "no check"}: %s`, (command) => expect(checkOf(command)).toBe(expected));

  test("there are enough of them", () => {
    expect(Object.values(CHECKS).flat().length).toBeGreaterThan(200);
  });
});

describe("a person's own checks", () => {
  test.each<[string, string]>([
    ["./ci.sh", "tests"],
    ["CI=1 ./ci.sh --fast", "tests"],
    ["cd a && ./ci.sh | tail -1", "tests?"],
    ["./ci.sh || true", ""],
    ["echo ./ci.sh", ""],
    ["./ci.sh.bak", ""],
    ["make verify-all now", "tests"],
    ["make some", ""],
  ])("%s is %j", (command, expected) => {
    expect(checkOf(command, ["./ci.sh", "make verify-all", " "])).toBe(expected);
  });
});
