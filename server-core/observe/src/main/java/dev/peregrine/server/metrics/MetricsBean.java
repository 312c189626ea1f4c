package dev.peregrine.server.metrics;

import dev.peregrine.base.Log;
import java.lang.System.Logger.Level;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.DynamicMBean;
import javax.management.InstanceAlreadyExistsException;
import javax.management.JMException;
import javax.management.MBeanInfo;
import javax.management.ObjectName;
import javax.management.openmbean.OpenDataException;
import javax.management.openmbean.OpenMBeanAttributeInfo;
import javax.management.openmbean.OpenMBeanAttributeInfoSupport;
import javax.management.openmbean.OpenMBeanInfoSupport;

/**
 * The metrics as an open MBean: its types are those of the JDK, so that a client without classes of
 * this package can read them. The only class here, with {@link MetricTable}, that uses the module
 * java.management.
 */
final class MetricsBean implements DynamicMBean {
  private final Supplier<MetricsSnapshot> metrics;
  private final ObjectName name;
  private final List<MetricTable> tables = new ArrayList<>();
  private final OpenMBeanInfoSupport info;

  private MetricsBean(Supplier<MetricsSnapshot> metrics, ObjectName name) throws OpenDataException {
    this.metrics = metrics;
    this.name = name;
    List<OpenMBeanAttributeInfo> attributes = new ArrayList<>();
    for (Metric metric : Metric.values()) {
      MetricTable table = new MetricTable(metric);
      tables.add(table);
      attributes.add(
          new OpenMBeanAttributeInfoSupport(
              table.name(), metric.description(), table.type(), true, false, false));
    }
    info =
        new OpenMBeanInfoSupport(
            MetricsBean.class.getName(),
            "Metrics of an HTTP server",
            attributes.toArray(OpenMBeanAttributeInfo[]::new),
            null,
            null,
            null);
  }

  static MetricsBean register(Supplier<MetricsSnapshot> metrics, String serverName) {
    String value =
        serverName.matches("[A-Za-z0-9_.-]+") ? serverName : ObjectName.quote(serverName);
    try {
      ObjectName name = new ObjectName("dev.peregrine:type=Server,name=" + value);
      MetricsBean created = new MetricsBean(metrics, name);
      ManagementFactory.getPlatformMBeanServer().registerMBean(created, name);
      return created;
    } catch (InstanceAlreadyExistsException taken) {
      throw new IllegalStateException(
          "an MBean for a server of the name " + serverName + " exists; give each server its own",
          taken);
    } catch (JMException impossible) {
      throw new IllegalStateException("can't register an MBean for " + serverName, impossible);
    }
  }

  void unregister() {
    try {
      ManagementFactory.getPlatformMBeanServer().unregisterMBean(name);
    } catch (JMException gone) { // unregistered by the application
      Log.add(Level.DEBUG, "the MBean was unregistered before: " + name);
    }
  }

  @Override
  public Object getAttribute(String attribute) throws AttributeNotFoundException {
    return get(attribute, metrics.get());
  }

  private Object get(String attribute, MetricsSnapshot snapshot) throws AttributeNotFoundException {
    for (MetricTable table : tables) {
      if (table.name().equals(attribute)) {
        try {
          return table.fill(snapshot);
        } catch (OpenDataException impossible) {
          throw new IllegalStateException(impossible);
        }
      }
    }
    throw new AttributeNotFoundException(attribute);
  }

  @Override
  public AttributeList getAttributes(String[] attributes) {
    MetricsSnapshot snapshot = metrics.get();
    AttributeList values = new AttributeList();
    for (String attribute : attributes) {
      try {
        values.add(new Attribute(attribute, get(attribute, snapshot)));
      } catch (AttributeNotFoundException unknown) {
        // left out, as the interface requires
      }
    }
    return values;
  }

  @Override
  public void setAttribute(Attribute attribute) throws AttributeNotFoundException {
    throw new AttributeNotFoundException(attribute.getName() + " can't be set");
  }

  @Override
  public AttributeList setAttributes(AttributeList attributes) {
    return new AttributeList();
  }

  @Override
  public Object invoke(String action, Object[] parameters, String[] signature) {
    throw new UnsupportedOperationException("no operation " + action);
  }

  @Override
  public MBeanInfo getMBeanInfo() {
    return info;
  }
}
