package dev.peregrine.bench.technique.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.bench.technique.Technique;
import java.io.IOException;
import java.io.StringReader;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

class ReportTest {
  private static final List<Measured> LISTS =
      List.of(
          new Measured("ARRAY_DEQUE", "fill", 1234, 1200, 1300, 24),
          new Measured("INTRUSIVE", "fill", 2.344, 2.3, 2.4, 0.01));

  @Test
  void everyBenchmarkOfATechniqueIsInAGroup() throws IOException, URISyntaxException {
    Path classes =
        Path.of(Technique.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    Path techniques = classes.resolve(Technique.class.getPackageName().replace('.', '/'));
    try (Stream<Path> files = Files.list(techniques)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .filteredOn(name -> name.endsWith("Benchmark.class"))
          .containsExactlyInAnyOrderElementsOf(
              Arrays.stream(Group.values())
                  .map(group -> group.benchmark().getSimpleName() + ".class")
                  .toList());
    }
  }

  @ParameterizedTest
  @EnumSource
  void comparesOnlyFormsThatExist(Group group) {
    List<String> forms = forms(group.benchmark());
    for (Group.Pair pair : group.pairs()) {
      assertThat(forms).contains(pair.plain(), pair.ours());
    }
  }

  @ParameterizedTest
  @EnumSource
  void hasARowInTheTableAndAPageAndAPlot(Group group) throws IOException {
    Path documents = Path.of("../docs");
    assertThat(Files.readString(documents.resolve("TECHNIQUES.md")))
        .containsOnlyOnce("<!--" + group.key() + "-->")
        .containsOnlyOnce("(techniques/" + group.key() + ".md)");
    assertThat(documents.resolve("techniques/" + group.key() + ".md")).isNotEmptyFile();
    assertThat(documents.resolve("techniques/" + group.key() + ".svg")).isNotEmptyFile();
  }

  @Test
  void replacesTheFiguresOfOneGroup() {
    String table = "| a <!--lists-->old<!--/--> | <!--date-->1<!--/--> |\n";
    assertThat(Figures.replaced(table, Group.LISTS, LISTS))
        .isEqualTo(
            "| a <!--lists-->fill: 1.23 µs → 2.34 ns, 24 → 0 B<!--/--> | <!--date-->1<!--/--> |\n");
  }

  @Test
  void missesAPlaceForFigures() {
    assertThatThrownBy(() -> Figures.replaced("| |", Group.LISTS, LISTS))
        .hasMessageContaining("lists");
  }

  @Test
  void writesAPage() {
    assertThat(Page.of(Group.LISTS, LISTS, "a machine"))
        .contains("-Dbench=lists", "a machine", "(lists.svg)")
        .contains("| array deque | 1.23 µs (1.20 µs to 1.30 µs), 24 B |")
        .contains("| **intrusive** | 2.34 ns (2.30 ns to 2.40 ns), 0 B |");
  }

  @Test
  void drawsABarForEachFigure() throws Exception {
    var reader = DocumentBuilderFactory.newInstance().newDocumentBuilder();
    Document plot = reader.parse(new InputSource(new StringReader(Plot.of(Group.LISTS, LISTS))));
    assertThat(plot.getElementsByTagName("rect").getLength()).isEqualTo(LISTS.size());
    assertThat(plot.getDocumentElement().getTextContent())
        .contains("array deque", "1.23 µs", "intrusive", "2.34 ns");
  }

  private static List<String> forms(Class<?> benchmark) {
    Stream<String> methods =
        Arrays.stream(benchmark.getDeclaredMethods())
            .filter(method -> method.isAnnotationPresent(Benchmark.class))
            .map(method -> method.getName());
    Stream<String> parameters =
        Arrays.stream(benchmark.getDeclaredFields())
            .filter(field -> field.isAnnotationPresent(Param.class))
            .flatMap(
                field ->
                    field.getType().isEnum()
                        ? Arrays.stream(field.getType().getEnumConstants()).map(Object::toString)
                        : Arrays.stream(field.getAnnotation(Param.class).value()));
    return Stream.concat(methods, parameters).toList();
  }
}
