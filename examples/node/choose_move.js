// Asks a Tapete server for a move: node choose_move.js HOST:PORT VIEW.json [BOT]
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import grpc from "@grpc/grpc-js";
import protoLoader from "@grpc/proto-loader";

const PROTOS = fileURLToPath(new URL("../../proto", import.meta.url));
const LETTERS = { SUIT_OROS: "O", SUIT_COPAS: "C", SUIT_ESPADAS: "E", SUIT_BASTOS: "B" };

// Every call is idempotent, so it may be repeated when no server answered it.
const RETRIES = {
  methodConfig: [{
    name: [{ service: "tapete.v1.BotService" }],
    retryPolicy: {
      maxAttempts: 5,
      initialBackoff: "0.1s",
      maxBackoff: "2s",
      backoffMultiplier: 2,
      retryableStatusCodes: ["UNAVAILABLE", "CANCELLED"],
    },
  }],
};

function connect(target) {
  const definition = protoLoader.loadSync("tapete/v1/bot_service.proto", {
    includeDirs: [PROTOS],
    keepCase: true, // snake_case names, as in the protos and in the paths of errors
    enums: String,
    oneofs: true,
  });
  const { BotService } = grpc.loadPackageDefinition(definition).tapete.v1;
  return new BotService(target, grpc.credentials.createInsecure(), {
    "grpc.service_config": JSON.stringify(RETRIES),
  });
}

function chooseMove(service, request, seconds) {
  const deadline = new Date(Date.now() + 1000 * seconds);
  return new Promise((resolve, reject) => {
    service.ChooseMove(request, { deadline }, (error, answer) => (error ? reject(error) : resolve(answer)));
  });
}

function inNotation({ guinote }) {
  switch (guinote.move) {
    case "play":
      return guinote.play.rank + LETTERS[guinote.play.suit];
    case "sing":
      return "sing " + LETTERS[guinote.sing];
    case "no_action":
      return "pass";
    default:
      return guinote.move; // swap, tute
  }
}

const [target, path, bot = ""] = process.argv.slice(2);
if (!path) {
  console.error("usage: node choose_move.js HOST:PORT VIEW.json [BOT]");
  process.exit(2);
}
const service = connect(target);
try {
  const view = JSON.parse(readFileSync(path, "utf8"));
  const answer = await chooseMove(service, { view, bot, seed: 0 }, 30);
  console.log(inNotation(answer.move));
} catch (error) {
  console.error("details" in error ? `${grpc.status[error.code]}: ${error.details}` : error.message);
  process.exitCode = 1;
} finally {
  service.close();
}
