package dev.peregrine.bench.technique.report;

import dev.peregrine.bench.technique.BodyBenchmark;
import dev.peregrine.bench.technique.ConnectionsBenchmark;
import dev.peregrine.bench.technique.ConstantBytesBenchmark;
import dev.peregrine.bench.technique.DateBenchmark;
import dev.peregrine.bench.technique.DelimiterBenchmark;
import dev.peregrine.bench.technique.DelimiterSetBenchmark;
import dev.peregrine.bench.technique.ExchangeReuseBenchmark;
import dev.peregrine.bench.technique.FalseSharingBenchmark;
import dev.peregrine.bench.technique.FieldIndexBenchmark;
import dev.peregrine.bench.technique.FieldLookupBenchmark;
import dev.peregrine.bench.technique.FieldNameBenchmark;
import dev.peregrine.bench.technique.GatheredWriteBenchmark;
import dev.peregrine.bench.technique.HandOverQueueBenchmark;
import dev.peregrine.bench.technique.HandlerBenchmark;
import dev.peregrine.bench.technique.HeaderSectionBenchmark;
import dev.peregrine.bench.technique.JsonBenchmark;
import dev.peregrine.bench.technique.JsonReadBenchmark;
import dev.peregrine.bench.technique.LentBlocksBenchmark;
import dev.peregrine.bench.technique.ListBenchmark;
import dev.peregrine.bench.technique.LocateBenchmark;
import dev.peregrine.bench.technique.LoopsBenchmark;
import dev.peregrine.bench.technique.MemoryPoolBenchmark;
import dev.peregrine.bench.technique.NagleBenchmark;
import dev.peregrine.bench.technique.ObjectPoolBenchmark;
import dev.peregrine.bench.technique.PartialHeadBenchmark;
import dev.peregrine.bench.technique.PipelineBenchmark;
import dev.peregrine.bench.technique.ReadinessBenchmark;
import dev.peregrine.bench.technique.RepeatedStringBenchmark;
import dev.peregrine.bench.technique.RequestLineBenchmark;
import dev.peregrine.bench.technique.ResponseFieldsBenchmark;
import dev.peregrine.bench.technique.ResponseHeadBenchmark;
import dev.peregrine.bench.technique.ScatterReadBenchmark;
import dev.peregrine.bench.technique.ScratchBenchmark;
import dev.peregrine.bench.technique.StoreOrderBenchmark;
import dev.peregrine.bench.technique.Technique;
import dev.peregrine.bench.technique.ViewBenchmark;
import dev.peregrine.bench.technique.WakeUpBenchmark;
import dev.peregrine.bench.technique.WriteBehindBenchmark;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** The benchmark of one technique: its forms on its inputs, and which of them are compared. */
enum Group {
  DELIMITER(
      "End of a line",
      DelimiterBenchmark.class,
      pair("byteLoop", "vectors"),
      pair("words", "vectors")),
  LOCATE("Place of a match", LocateBenchmark.class, pair("binarySearch", "trailingZeros")),
  DELIMITER_SET(
      "First of several delimiters",
      DelimiterSetBenchmark.class,
      pair("tableLoop", "onePassVectors"),
      pair("passForEach", "onePassVectors")),
  HEADER_SECTION(
      "Field lines of a head",
      HeaderSectionBenchmark.class,
      pair("lineThenSplit", "onePassVectors"),
      pair("lineThenSplitWords", "onePassWords")),
  REQUEST_LINE(
      "Method and version",
      RequestLineBenchmark.class,
      pair("strings", "getThenPerfectHash"),
      pair("maskedComparisons", "getThenPerfectHash")),
  FIELD_NAMES(
      "Known field names",
      FieldNameBenchmark.class,
      pair("map", "perfectHash"),
      pair("lengthThenWords", "perfectHash"),
      pair("generated", "perfectHash")),
  FIELD_LOOKUP(
      "Six fields of a request by name", FieldLookupBenchmark.class, pair("scan", "table")),
  FIELD_INDEX(
      "The first fields that are read of a head",
      FieldIndexBenchmark.class,
      pair("indexed", "scanned")),
  RESPONSE_FIELDS(
      "Six fields of a response by name",
      ResponseFieldsBenchmark.class,
      pair("scan", "filter"),
      pair("lengthFirst", "filter")),
  REPEATED_STRINGS(
      "A value that repeats on a connection",
      RepeatedStringBenchmark.class,
      pair("keptSame", "fresh"),
      pair("keptOther", "fresh")),
  PARTIAL_HEADS(
      "A head in pieces",
      PartialHeadBenchmark.class,
      pair("whole", "resumed"),
      pair("restarted", "resumed")),
  CONSTANT_BYTES(
      "Constant text of a response",
      ConstantBytesBenchmark.class,
      pair("copied", "storedConstants")),
  RESPONSE_HEAD(
      "Head of a response",
      ResponseHeadBenchmark.class,
      pair("text", "encoded"),
      pair("lines", "encoded"),
      pair("oneArray", "encoded")),
  MEMORY_POOL(
      "Memory for a request",
      MemoryPoolBenchmark.class,
      pair("heap", "poolPerLoop"),
      pair("nettyThreadCaches", "poolPerLoop")),
  SCRATCH("Arrays for scratch work", ScratchBenchmark.class, pair("fresh", "perLoop")),
  OBJECT_POOL(
      "Objects from pools",
      ObjectPoolBenchmark.class,
      pair("batchPool", "homePool"),
      pair("fresh", "homePool")),
  EXCHANGE_REUSE("Objects of a request", ExchangeReuseBenchmark.class, pair("NEW", "REUSED")),
  LISTS(
      "Lists, per element",
      ListBenchmark.class,
      pair("NODES_APART", "INTRUSIVE"),
      pair("LINKED_HASH_SET", "INTRUSIVE"),
      pair("INTRUSIVE", "ARRAY_WITH_PLACES")),
  FALSE_SHARING(
      "Counters of two threads", FalseSharingBenchmark.class, pair("BYTES_8", "LOOP_COUNTERS")),
  STORE_ORDER(
      "Stores of each order", StoreOrderBenchmark.class, pair("sequential", "loopCounters")),
  HAND_OVER(
      "Tasks to another thread",
      HandOverQueueBenchmark.class,
      pair("LOCKED", "INTRUSIVE"),
      pair("LOCKED_BATCHES", "INTRUSIVE"),
      pair("NETTY_MPSC", "INTRUSIVE")),
  WAKE_UPS(
      "Posts to a loop that works",
      WakeUpBenchmark.class,
      pair("wakeUpEach", "stateOfLoop"),
      pair("counter", "stateOfLoop")),
  GATHERED_WRITE(
      "Sixteen pieces to a socket",
      GatheredWriteBenchmark.class,
      pair("writes", "outboundQueue"),
      pair("gathered", "outboundQueue")),
  SCATTER_READ(
      "Bytes from a socket",
      ScatterReadBenchmark.class,
      pair("nioScattered", "nioOne"),
      pair("ffmScattered", "ffmOne")),
  NAGLE("A small response, by Nagle's algorithm", NagleBenchmark.class, pair("NAGLE", "NO_DELAY")),
  READINESS(
      "The readable ones of 5,000",
      ReadinessBenchmark.class,
      pair("POLL", "EPOLL_POLLER"),
      pair("SELECTOR", "EPOLL_POLLER")),
  CONNECTIONS(
      "Connections opened and closed",
      ConnectionsBenchmark.class,
      pair("NETTY", "NIO"),
      pair("NETTY_EPOLL", "EPOLL"),
      pair("NIO", "EPOLL"),
      pair("NIO_REUSE_PORT", "NIO"),
      pair("EPOLL_REUSE_PORT", "EPOLL")),
  LOOPS(
      "A request, by the number of event loops",
      LoopsBenchmark.class,
      pair("ONE", "PER_PROCESSOR"),
      pair("ONE_MORE", "PER_PROCESSOR")),
  VIEWS("A part of what was received", ViewBenchmark.class, pair("copy", "newView")),
  WRITE_BEHIND(
      "Many small writes",
      WriteBehindBenchmark.class,
      pair("LOOP_FLUSHING", "LOOP"),
      pair("THREAD_BUFFERED", "THREAD")),
  PIPELINE("Pipelined requests", PipelineBenchmark.class, pair("PARSE_ALL", "ONE_AT_A_TIME")),
  BODY(
      "Content of a request",
      BodyBenchmark.class,
      pair("STREAM", "VIEWS"),
      pair("BLOCKING_STREAM", "VIEWS"),
      pair("WHOLE", "VIEWS")),
  LENT_BLOCKS(
      "Content for a reader that blocks", LentBlocksBenchmark.class, pair("copied", "lent")),
  JSON("JSON of a response", JsonBenchmark.class, pair("newArray", "codec")),
  JSON_READ(
      "One field of JSON",
      JsonReadBenchmark.class,
      pair("readObject", "readUntilFound"),
      pair("jacksonAllPieces", "jacksonPieces"),
      pair("jacksonGathered", "jacksonPieces")),
  DATE(
      "Value of Date",
      DateBenchmark.class,
      pair("formatted", "comparedTurn"),
      pair("comparedClock", "comparedTurn"),
      pair("renewedByTimer", "comparedTurn")),
  HANDLER(
      "Where a handler runs",
      HandlerBenchmark.class,
      pair("VIRTUAL", "INLINE"),
      pair("VIRTUAL", "BLOCKING"));

  private final String title;
  private final Class<? extends Technique> benchmark;

  @SuppressWarnings("ImmutableEnumChecker") // List.of is
  private final List<Pair> pairs;

  Group(String title, Class<? extends Technique> benchmark, Pair... pairs) {
    this.title = title;
    this.benchmark = benchmark;
    this.pairs = List.of(pairs);
  }

  /** Returns the subject of the measurement, in a few words. */
  String title() {
    return title;
  }

  Class<? extends Technique> benchmark() {
    return benchmark;
  }

  List<Pair> pairs() {
    return pairs;
  }

  /** Returns true if the forms of a pair are so close that more forks have to decide. */
  boolean hasCloseForms(List<Measured> all) {
    return pairs.stream()
        .anyMatch(
            pair ->
                all.stream()
                    .filter(one -> one.form().equals(pair.plain()))
                    .anyMatch(one -> one.isCloseTo(Measured.find(all, pair.ours(), one.input()))));
  }

  /** Returns the plain form of a pair in words, with ours if other pairs have the same one. */
  String words(Pair pair) {
    long same = pairs.stream().filter(other -> other.plain().equals(pair.plain())).count();
    String plain = Measured.words(pair.plain());
    return same == 1 ? plain : plain + " → " + Measured.words(pair.ours());
  }

  /** Returns the name of its files, which also selects it on the command line. */
  String key() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns the forms that others are compared with. */
  List<String> ours() {
    return pairs.stream().map(Pair::ours).distinct().toList();
  }

  /** Returns what was measured of one of ours and the forms compared with it, by input. */
  List<Measured> comparedWith(String ours, List<Measured> all) {
    List<String> inputs = Measured.inputs(all);
    return all.stream()
        .filter(one -> isComparedWith(ours, one.form()))
        .sorted(Comparator.comparingInt(one -> inputs.indexOf(one.input())))
        .toList();
  }

  /** Forms without a pair are compared with that of ours whose name begins alike. */
  private boolean isComparedWith(String ours, String form) {
    if (pairs.stream().anyMatch(pair -> pair.plain().equals(form)) || ours().contains(form)) {
      return ours.equals(form) || pairs.contains(pair(form, ours));
    }
    return ours.equals(
        Collections.max(ours(), Comparator.comparingInt(other -> commonLength(other, form))));
  }

  private static int commonLength(String one, String other) {
    int length = 0;
    while (length < Math.min(one.length(), other.length())
        && one.charAt(length) == other.charAt(length)) {
      length++;
    }
    return length;
  }

  /** The plain form and ours. */
  record Pair(String plain, String ours) {}

  private static Pair pair(String plain, String ours) {
    return new Pair(plain, ours);
  }
}
